/*
 * Words with a similar meaning in questions that people ask companies, authorities and software, by language. A line
 * is one meaning. Words with # are kinds of values that answer such a question (value-kinds.ts).
 */
export const synonyms: Readonly<Record<string, string>> = {
  de: `preis preise kosten kostet gebühr gebühren tarif teuer günstig betrag bezahlen zahlen #money
    öffnungszeiten geöffnet offen öffnen öffnet aufmachen
    schließen schließt geschlossen zumachen ruhetag
    telefon telefonnummer anrufen rufnummer hotline nummer #phone
    mail email mailadresse emailadresse #email
    kontakt kontaktieren erreichen ansprechpartner
    adresse anschrift standort straße anfahrt
    lieferung liefern geliefert versand versenden zustellung lieferzeit
    rückgabe zurückgeben zurückschicken zurücksenden umtausch umtauschen retoure widerruf
    erstattung erstatten rückerstattung
    garantie gewährleistung
    stornieren stornierung absagen absage abbestellen kündigen kündigung
    reservieren reservierung buchen buchung
    anmelden anmeldung registrieren registrierung einloggen
    urlaub ferien urlaubstage
    kinder kind kinderfreundlich
    hund hunde haustier haustiere tiere
    parken parkplatz parkplätze parkhaus tiefgarage garage
    auto wagen fahrzeug pkw
    bahn bahnhof zug
    rabatt ermäßigung nachlass ermäßigt
    defekt kaputt beschädigt schaden
    reparatur reparieren
    wlan wifi internet
    arzt ärztin doktor
    gehalt lohn verdienst vergütung
    firma unternehmen betrieb
    wohnung wohnungen apartment
    einchecken anreise ankunft
    auschecken abreise
    essen speisen mahlzeit
    verboten untersagt erlaubt gestattet
    farbe farben farbig
    gewicht wiegt schwer
    größe groß maße abmessungen`,
  en: `price prices cost costs fee fees rate rates tariff amount expensive cheap pay #money
    hours open opens opening
    closed close closes closing
    phone telephone call hotline #phone
    email mail #email
    contact reach touch
    address location located directions
    delivery deliver delivered shipping ship shipped shipment dispatch
    return returns returned exchange
    refund refunds refunded reimburse reimbursement
    warranty guarantee guaranteed
    cancel cancellation cancelled terminate
    book booking reserve reservation
    register registration signup enrol enroll
    login signin
    vacation holiday holidays leave
    child children kid kids
    dog dogs pet pets animals
    parking park garage
    car vehicle automobile
    train railway station
    discount reduction reduced concession
    broken defective faulty damaged damage
    repair repairs fix mend
    wifi internet wlan
    doctor physician gp
    salary pay wage wages
    company firm employer business
    flat apartment
    meal meals food eat dining
    forbidden prohibited banned
    color colour colors colours
    weight weigh weighs heavy
    size sizes dimensions measurements
    restroom toilet toilets bathroom
    bike bicycle bikes bicycles
    delete remove erase
    error fault failure
    configure configuration setting settings setup
    maximum max limit highest
    minimum min least lowest shortest
    illness sick ill sickness
    retirement pension
    ticket tickets admission entry
    voucher coupon`,
  es: `precio precios cuesta cuestan costar coste costo vale valen tarifa importe caro barato pagar #money
    horario horarios abren abre abierto abrir apertura abrís
    cierran cierra cerrado cerrar cierre
    teléfono llamar número #phone
    correo email mail #email
    contacto contactar
    dirección ubicación situado
    envío enviar envíos entrega entregar reparto
    devolución devolver devoluciones cambio cambiar
    reembolso reembolsar
    garantía
    cancelar cancelación anular anulación
    reservar reserva reservas
    registro registrarse inscripción inscribirse
    vacaciones permiso
    niños niño niña menores infantil
    perro perros mascota mascotas animales
    aparcar aparcamiento parking estacionamiento
    coche auto vehículo
    tren estación
    descuento rebaja reducido
    roto defectuoso dañado averiado
    reparar reparación arreglar
    wifi internet
    médico doctor
    sueldo salario
    empresa compañía
    piso apartamento
    comer comida cenar cena
    prohibido permitido
    color colores
    peso pesa
    tamaño medidas talla`,
  fr: `prix tarif tarifs coûte coûtent coût coûter frais montant cher payer payant #money
    horaires horaire ouvert ouverts ouverte ouverture ouvrir ouvre ouvrez
    fermé fermée fermeture fermer ferme
    téléphone appeler numéro #phone
    mail email courriel #email
    contact contacter joindre
    adresse lieu situé
    livraison livrer livré expédition envoi envoyer
    retour retourner renvoyer échange échanger
    remboursement rembourser remboursé
    garantie garanti
    annuler annulation résilier résiliation
    réserver réservation
    inscription inscrire inscrit
    vacances congés congé
    enfant enfants jeunes
    chien chiens animal animaux
    parking stationnement stationner garer
    voiture véhicule auto
    train gare
    réduction remise rabais réduit
    cassé défectueux endommagé panne
    réparer réparation
    wifi internet
    médecin docteur
    salaire paie rémunération
    entreprise société
    appartement logement
    repas manger restauration
    interdit interdite autorisé
    marier mariage noces
    couleur couleurs
    poids pèse
    taille dimensions`,
  it: `prezzo prezzi costa costano costo tariffa tariffe importo caro pagare #money
    orario orari aperto aperti apertura aprire apre aprite
    chiuso chiusi chiusura chiudere chiude chiudete
    telefono telefonare chiamare numero #phone
    email mail #email
    contatto contattare
    indirizzo sede dove
    consegna consegnare spedizione spedire spedite
    reso restituire restituzione resi cambio
    rimborso rimborsare
    garanzia
    annullare annullamento cancellare disdire disdetta cancellazione
    prenotare prenotazione
    iscrizione iscriversi registrazione registrarsi
    ferie vacanze
    bambini bambino bambina minori
    cane cani animali animale
    parcheggio parcheggiare
    auto macchina automobile veicolo
    treno stazione
    sconto riduzione ridotto
    rotto difettoso danneggiato guasto
    riparare riparazione
    wifi internet
    medico dottore
    stipendio salario
    azienda ditta società
    mangiare pasto pasti cena
    vietato proibito permesso
    colore colori
    peso pesa
    taglia dimensioni misure`,
  ja: `料金 値段 価格 費用 代金 いくら 円 金額 #money
    営業 開店 開い 開く 開館 診療 時間
    休み 休業 休診 定休 定休日 閉店 休館
    電話 番号 連絡先 #phone
    メール メールアドレス #email
    場所 住所 所在地 アクセス
    配送 発送 配達 送料 届く
    返品 返却 交換 返送
    返金 払い戻し
    保証 保障
    キャンセル 取消 取り消し 取り消す 解約
    予約 申込 申し込み
    登録 会員
    休暇 有給
    子ども 子供 こども 小児
    犬 ペット 動物
    駐車場 駐車 車
    割引 値引
    故障 壊れ 破損
    修理 直す
    支払 支払い 払う 払え 決済
    歩き 徒歩 歩い
    持ち物 持っ 持参
    禁止 不可`,
  ko: `가격 요금 비용 얼마 금액 #money
    영업 시간 운영 오픈 여는
    휴무 휴관 닫는 휴일
    전화 번호 연락처 #phone
    이메일 메일 #email
    위치 주소 장소
    배송 배달 택배
    반품 교환 반환
    환불 취소
    예약 신청
    보증 보장
    주차 주차장
    할인 쿠폰
    고장 파손
    수리 고치
    어린이 아이 아동
    강아지 반려견 애완 동물`,
  nl: `prijs prijzen kosten kost tarief tarieven bedrag duur goedkoop betalen #money
    openingstijden open geopend openen
    gesloten sluiten sluit dicht
    telefoon telefoonnummer bellen nummer #phone
    mail mailadres #email
    contact bereiken
    adres locatie gelegen
    levering bezorging bezorgen leveren verzending verzenden verzendkosten levertijd
    retour retourneren terugsturen ruilen
    terugbetaling terugbetalen
    garantie
    annuleren annulering afzeggen opzeggen
    reserveren reservering boeken boeking
    inschrijven inschrijving registreren aanmelden
    vakantie verlof vakantiedagen
    kinderen kind kids
    hond honden huisdier huisdieren
    parkeren parkeerplaats parkeergarage
    auto wagen voertuig
    trein station
    korting gereduceerd
    kapot defect beschadigd
    reparatie repareren
    wifi internet
    dokter arts huisarts
    salaris loon
    bedrijf firma
    eten maaltijd
    verboden toegestaan
    kleur kleuren
    gewicht weegt
    maat afmetingen`,
  pl: `cena ceny kosztuje kosztują koszt opłata opłaty taryfa drogi tani płacić zapłacić #money
    godziny otwarcia otwarte otwarty czynne czynny otwieracie
    zamknięte zamknięty zamykacie nieczynne
    telefon zadzwonić numer #phone
    mail email #email
    kontakt skontaktować
    adres lokalizacja
    dostawa dostawy wysyłka wysłać przesyłka
    zwrot zwrócić zwroty oddać wymiana
    gwarancja gwarancji rękojmia
    anulować odwołać anulowanie rezygnacja
    rezerwacja zarezerwować rezerwować
    rejestracja zapisać zapisy
    urlop wakacje
    dzieci dziecko
    pies psy psa zwierzęta
    parking parkować parkowanie
    samochód auto
    pociąg dworzec
    zniżka rabat ulgowy
    zepsuty uszkodzony wadliwy
    naprawa naprawić
    lekarz doktor
    pensja wynagrodzenie
    firma przedsiębiorstwo
    jedzenie posiłek
    zabronione zakaz dozwolone`,
  pt: `preço preços custa custam custo tarifa valor caro barato pagar #money
    horário horários aberto aberta abrem abre abertura funcionamento
    fechado fecha fecham fechar encerrado
    telefone ligar número #phone
    email mail #email
    contacto contato contactar
    endereço morada localização
    entrega entregar envio enviar frete
    devolução devolver troca trocar
    reembolso reembolsar
    garantia
    cancelar cancelamento anular
    reservar reserva
    inscrição inscrever registo registro
    férias
    crianças criança menores
    cão cães cachorro animais animal
    estacionamento estacionar
    carro automóvel veículo
    comboio trem estação
    desconto redução
    avariado quebrado defeituoso danificado
    reparar reparação conserto
    médico doutor
    salário ordenado
    empresa companhia
    comer comida refeição jantar
    proibido permitido
    cor cores
    peso pesa
    tamanho medidas`,
  ru: `цена цены стоит стоимость стоят тариф плата платить сумма дорого руб #money
    открыто открыты открываетесь работаете работает график режим
    закрыто закрыты закрываетесь выходной
    телефон позвонить номер #phone
    почта email #email
    контакт связаться
    адрес находитесь находится расположен
    доставка доставить доставляете привезти отправка
    возврат вернуть обмен обменять
    гарантия гарантийный
    отменить отмена отказаться
    бронь забронировать бронирование
    регистрация записаться запись
    отпуск каникулы
    дети ребенок детям
    собака собаки питомец животные
    парковка парковаться стоянка
    машина автомобиль авто
    поезд вокзал
    скидка льгота
    сломан сломался неисправен брак
    ремонт починить
    врач доктор
    зарплата оклад
    компания фирма
    еда питание
    нельзя запрещено
    лет год года года срок
    вес весит масса`,
  sv: `pris priser kostar kosta kostnad avgift dyrt betala #money
    öppettider öppet öppnar öppen
    stängt stänger stängd
    telefon telefonnummer ringa nummer #phone
    mejl mail #email
    kontakt kontakta nå
    adress plats
    leverans leverera frakt skicka
    retur returnera byta återlämna
    återbetalning
    garanti
    avboka avbokning avbeställa säga upp
    boka bokning reservera
    anmälan anmäla registrera
    semester ledighet
    barn barnen
    hund hundar husdjur
    parkering parkera
    bil fordon
    tåg station
    rabatt nedsatt
    trasig defekt skadad
    reparation laga
    läkare doktor
    lön
    företag firma
    mat måltid
    förbjudet tillåtet`,
  tr: `fiyat fiyatı ücret ücreti tutar pahalı ödemek ödeme #money
    açık açılış çalışma saatleri
    kapalı kapanış
    telefon numara aramak #phone
    eposta mail #email
    iletişim ulaşmak
    adres konum
    teslimat kargo gönderim teslim
    iade değişim
    garanti
    iptal
    rezervasyon
    kayıt üyelik
    izin tatil
    çocuk çocuklar
    köpek evcil hayvan
    otopark park
    araba araç otomobil
    indirim
    bozuk arızalı hasarlı
    tamir onarım
    doktor hekim
    maaş ücret`,
  zh: `价格 多少钱 钱 费用 运费 元 收费 价钱 #money
    营业 开门 开放 时间
    关门 休息 打烊
    电话 号码 热线 #phone
    邮箱 邮件 #email
    地址 位置 在哪里 门店 店
    配送 送货 快递 发货 送到 送达 寄
    退货 退换 换货 退
    退款 到账
    保修 质保
    取消 退订
    预订 预约
    注册 会员
    假期 年假
    孩子 儿童 小孩
    狗 宠物
    停车 停车场
    优惠 折扣 打折
    破损 损坏 坏
    维修 修理
    付款 支付
    有效期 过期`,
};
