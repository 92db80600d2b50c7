/* Words with a similar meaning in questions about any topic, by language. Like `synonyms`. */
export const everydaySynonyms: Readonly<Record<string, string>> = {
  de: `gegründet gründung gründer gründete entstanden
    beginn beginnt beginnen anfang start startet starten
    ende endet enden schluss aufhören
    dauer dauert dauern
    hilfe helfen unterstützung support
    mitarbeiter angestellte personal beschäftigte
    kunde kunden gast gäste
    kaufen kauf bestellen bestellung bestellt erwerben
    mieten miete ausleihen leihen verleih ausleihe
    höhe hoch
    breite breit
    länge lang
    alter alt älter
    rechnung rechnungen quittung beleg
    stelle stellen job jobs karriere bewerbung bewerben
    nacht nachts nächtlich
    schnell geschwindigkeit tempo
    verloren verlieren verlust
    ändern änderung umbuchen verschieben
    kostenlos gratis umsonst kostenfrei`,
  en: `founded founder founders founding started established
    begin begins beginning start starts starting
    end ends ending finish finishes
    last lasts lasting duration
    help support assistance
    staff employee employees personnel
    customer customers client clients guest guests
    buy bought purchase purchased order ordered
    rent rental hire borrow lend loan lease
    tall height high
    wide width broad
    length long
    deep depth
    far distance
    old age aged
    invoice invoices bill bills billing receipt
    job jobs vacancy vacancies career careers
    night nights nightly overnight
    fast quick speed quickly
    lost lose missing loss
    dead died die dies
    allow allowed allows permit permitted
    change amend modify reschedule
    update upgrade updated
    free complimentary gratis
    drink drinks beverage beverages
    quit resign resignation
    live alive survive survives`,
  es: `fundado fundada fundador fundó creado creada
    empieza empezar comienza comenzar inicio empiezan
    termina terminar acaba fin final
    dura duración durar
    ayuda ayudar asistencia soporte
    empleado empleados personal plantilla
    cliente clientes huésped huéspedes
    comprar compra pedido pedir adquirir
    alquilar alquiler arrendar
    alto altura mide
    ancho anchura
    largo longitud
    factura facturas recibo
    empleo trabajo vacante vacantes
    rápido velocidad
    perdido perder pérdida
    gratis gratuito gratuita`,
  fr: `fondé fondée fondateur fondation créé créée création
    commence commencer début débute
    finit finir fin termine terminer
    dure durée durer
    aide aider assistance
    employé employés personnel salarié salariés
    client clients hôte hôtes
    acheter achat commander commande
    louer location emprunter prêt
    haut hauteur
    large largeur
    long longueur
    facture factures reçu
    emploi poste postes recrutement
    rapide vitesse
    perdu perdre perte
    gratuit gratuite gratuitement offert`,
  it: `fondato fondata fondatore nato
    inizia iniziare inizio comincia
    finisce finire fine termina
    dura durata durare
    aiuto aiutare assistenza
    dipendente dipendenti personale
    cliente clienti ospite ospiti
    comprare acquistare acquisto ordinare ordine
    noleggiare noleggio affittare affitto
    alto altezza
    largo larghezza
    lungo lunghezza
    fattura fatture ricevuta
    lavoro posto posizione
    perso perdere smarrito
    gratis gratuito gratuita`,
  nl: `opgericht oprichter oprichting gesticht
    begint beginnen begin start starten
    eindigt einde eindigen
    duurt duren duur
    hulp helpen ondersteuning
    medewerker medewerkers personeel
    klant klanten gast gasten
    kopen aankoop bestellen bestelling
    huren huur lenen verhuur
    hoogte hoog
    breedte breed
    lengte lang
    leeftijd oud
    factuur facturen bon
    vacature vacatures baan banen
    kwijt verloren verliezen
    gratis kosteloos`,
  pt: `fundada fundado fundador criada criado
    começa começar início inicia
    termina terminar fim acaba
    dura duração durar
    ajuda ajudar suporte assistência
    funcionário funcionários pessoal
    cliente clientes hóspede hóspedes
    comprar compra pedido encomenda
    alugar aluguel aluguer
    alto altura
    largura largo
    comprimento longo
    fatura recibo
    emprego vaga vagas trabalho
    perdido perder perda
    grátis gratuito gratuita`,
  ru: `основана основан основатель создана создан
    начало начинается начать
    конец заканчивается окончание
    длится длительность продолжительность
    помощь помочь поддержка
    сотрудник сотрудники персонал
    клиент клиенты гость гости
    купить покупка заказать заказ
    аренда арендовать прокат
    высота высокий
    ширина широкий
    длина длинный
    возраст старый
    счет чек квитанция
    вакансия вакансии работа
    потерял потеря утеря
    бесплатно бесплатный бесплатная`,
};
