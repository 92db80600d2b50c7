import { lines, type Phrases } from './phrases.js';

/** Parts of sentences on pages that replace the content. A page of content hardly has two of them. */
export const interstitialSentences: Phrases = {
  any: lines`
    SQLSTATE\[
    ORA-\d{5}
    (uncaught|unhandled) (\w+ )?(exception|error)
    (PDO|SQL|Runtime|NullPointer|Http|Operational|Connection|Database)\w*(Exception|Error)\b
    mysqli?(::|_)\w+
    (PHP )?(fatal error|parse error|warning):
    traceback \(most recent call last\)
    stack ?trace:
    \b(in|at) /[\w./-]+\.(php|py|rb|js|java|pl)\b
    \bat [\w.$]+\([\w.]+:\d+\)
    ECONNREFUSED|ETIMEDOUT
    upstream (connect error|request timeout|prematurely closed)
    no healthy upstream
  `,
  en: lines`
    unusual (traffic|activity)
    automated (requests|access|queries|traffic|activity|tools)
    suspicious (activity|traffic)
    (confirm|verify|prove|ensure|checking|make sure|need to know)( that| if| whether)? you( are|['’]re) (really )?(not a (ro)?bot|(a )?(real )?(human|person)|human)
    are you (a )?(human|person|robot)
    not a (ro)?bot
    (solve|complete|pass|answer) (the|this|a) (captcha|security check|challenge|puzzle)
    (checking|verifying) (your browser|if the site connection is secure|your connection)
    enable (javascript and )?cookies (and|to) (reload|continue|proceed)
    (your|this) (request|access|connection|ip( address)?|browser) (has been|was|is) (temporarily )?(blocked|denied|rejected|limited|flagged)
    you (have been|are) (temporarily )?(blocked|denied)
    you (do not|don['’]t) have (permission|access) to (access|view|see)
    (request|reference|incident|ray|support|event|trace|error) (id|number|code)\b ?[:#]
    (scheduled|planned|routine|emergency|urgent) maintenance
    (down|closed|offline|unavailable) for (\p{L}+ )?maintenance
    (undergoing|performing|under|carrying out) (\p{L}+ )?maintenance
    (be|come|check) back (soon|shortly|later|in a)
    (try|visit us) again (later|shortly|soon|in a (few|little|moment|minute)|in \d+)
    (site|website|service|page|server|shop|store|system) (is|are) (currently |temporarily |momentarily )+(unavailable|down|offline|closed|not available)
    connection (was |has been )?refused
    (establish|connect|connection) (to )?(a |the )?(database|server)
    (an|unexpected|internal|server|unknown) error( has)? occurred
    something (has gone|went) wrong
    (internal server|database) error
    we (and our (\d+ )?(\p{L}+ )?partners )?(use|store) (and our partners use )?cookies
    (accept|reject|agree to|refuse) all( cookies)?
    (manage|customi[sz]e|change) (my |your |the )?(options|preferences|choices|settings|cookies)
    (legitimate interest|personalised ads|personalized ads|ad measurement|our partners)
    (must|have to|need to) be (at least |over )?(\d\d|of legal (drinking )?age)( years)?( old| of age| or older| or over)?
    (are|i am|i['’]m|be) (at least |over |under )(\d\d|the legal age)
    enter your (date of birth|birth ?date|year of birth|age)
    (legal|drinking) age in (your|the) (country|state)
    protect(ing|s)? (itself|the (server|site|website)|this (server|site|website)|our (server|site|website)) (from|against)
    triggered the security
    (email|contact) the (site|website)? ?owner
    (think|believe) (you (have been|were) blocked|this (block )?is (an|in) error)
    (whitelist|allowlist) your ip
    enable js\b
    disable (any|your) ad ?-?blocker
    access to this (site|service|page) has been limited
    due to a network (security )?policy
    (sent|made|making) too many requests
    by (entering|accessing) (this|our) (site|website)
    (web ?site|site|page|shop|store) is (currently |still )?under construction
    be the first to know when we
    (this|the) domain( name)? (is|may be) for sale
    buy this domain
    parked (this|the|by) \p{L}+
    account has been (suspended|disabled)
    contact your hosting provider
    default (welcome )?page used to test
    critical error (on|in) (this|your) (web ?site|site)
    if you are the (application|site|website) owner
    error occurred (on the server|in the application)
    custom error settings
    client-side exception
    reported a bad gateway
    not returning a connection
    estimated wait( time)?
    (please )?do not (close|refresh) (your|this) (browser|page|tab|window)
    page (will )?(refresh|reload|update)(es|s)? automatically
    (log|sign) in to (view|continue|access|see) (this|the|to|your)
    to continue to (\p{L}+ ){0,3}\p{L}+\.
    session has expired
    not available in your (country|region|location)
    access cannot be granted
    upgrade your browser
    limit of free articles
    made us think (that )?you (were|are) a (ro)?bot
    (upgrading|updating|improving) our (systems?|servers?|(web ?)?site)
    unable to service your request
    (this|the) domain \S+\.\S+ (is|may be) for sale
    web server is successfully installed
  `,
  de: lines`
    ungewöhnliche[nr]? (datenverkehr|zugriffe|aktivität(en)?|anfragen)
    automatisierte[nr]? (anfragen|zugriffe|abfragen)
    dass sie (kein (ro)?bot(er)?|ein mensch) sind
    (kein roboter|ein mensch)
    (captcha|sicherheitsabfrage) (lösen|ausfüllen|eingeben)
    (ihre|diese) (anfrage|ip-adresse|verbindung) (wurde|ist) (\p{L}+ )?(blockiert|gesperrt|abgelehnt)
    wartungsarbeiten
    (wegen|aufgrund) (\p{L}+ )?wartung
    (versuchen|probieren) sie es (\p{L}+ ){0,4}(später|in (ein paar|wenigen|einigen) minuten)( erneut| noch einmal| wieder)?
    (bald|gleich|in kürze) wieder (da|zurück|erreichbar|verfügbar|für sie)
    (vorübergehend|derzeit|momentan|zurzeit) nicht (erreichbar|verfügbar)
    (ein|interner|unerwarteter) fehler (ist )?aufgetreten
    (verbindung|zugriff) (zur|auf die) datenbank
    etwas (ist )?schief ?gelaufen
    (wir( und unsere (\d+ )?partner)?|diese (web)?seite) (verwenden|verwendet|nutzen|nutzt|setzen) cookies
    alle(n)? (cookies )?(akzeptieren|ablehnen|zustimmen)
    (einstellungen|auswahl|einwilligung) (verwalten|anpassen|ändern|speichern)
    (mindestens|über|unter) \d\d jahre
    (ihr |dein )?geburts(datum|jahr) (ein|an)
    volljährig
    mit werbung( und tracking)?\.? (weiterlesen|lesen)
    wie gewohnt mit werbung
    zustimmung ist jederzeit widerrufbar
    geschätzte wartezeit
    seite aktualisiert sich automatisch
    (web)?seite wird (gerade|derzeit|zurzeit) überarbeitet
    wir und unsere (\d+ )?partner (speichern|verarbeiten)
    bestätige (dein|ihr)? ?alter|bestätigen sie ihr alter
    (bist du|sind sie) (schon|bereits) \d\d
  `,
  fr: lines`
    trafic (inhabituel|suspect)
    (requêtes|accès|activités?) automatis
    que vous (n['’]êtes pas un robot|êtes (bien )?humain)
    (votre|cette) (requête|adresse ip|demande|connexion) a été (bloquée|refusée|rejetée)
    (maintenance|entretien) (programmée?|planifiée?|en cours)
    en (cours de )?maintenance
    (réessay(er|ez)|reven(ir|ez)) (\p{L}+ ){0,4}(plus tard|dans quelques|ultérieurement|bientôt)
    (temporairement|momentanément|actuellement) (indisponible|inaccessible|fermé)
    (une )?erreur (inattendue |interne |est )?(s['’]est produite|est survenue|survenue)
    connexion (à|avec) la base de données
    (nous( et nos (\d+ )?partenaires)?|ce site) (utilisons|utilise|déposons) des (cookies|traceurs)
    (tout|tous) (accepter|refuser)
    (accepter|refuser) (tout|tous)
    (paramétrer|gérer|personnaliser) (mes|vos|les|mes choix)
    (avoir|avez|j['’]ai) (plus de |au moins |moins de )?\d\d ans
    date de naissance
    l['’]âge légal
    fait peau neuve
    (nous )?revenons (très |bien)?(vite|bientôt|tôt)
  `,
  es: lines`
    (tráfico|actividad) (inusual|sospechos[ao])
    (solicitudes|peticiones|accesos?) automatiz
    que (no (eres|es) un robot|(eres|es) (un )?humano)
    (su|tu) (solicitud|dirección ip|acceso|conexión) ha sido (bloquead|rechazad|denegad)
    (tareas|trabajos|labores) de mantenimiento
    mantenimiento programado
    en mantenimiento
    (inténtelo|inténtalo|vuelva a intentarlo|vuelve a intentarlo|intente) (\p{L}+ ){0,4}(más tarde|en unos|en breve|nuevamente)
    (temporalmente|momentáneamente) (no disponible|fuera de servicio|cerrad)
    (se ha producido|ha ocurrido|ocurrió) un error
    conexión (con|a) la base de datos
    (utilizamos|usamos|utiliza|usa) cookies
    (aceptar|rechazar) tod[ao]s?
    (gestionar|configurar|administrar) (las |mis |tus )?(opciones|preferencias|cookies)
    mayor de (\d\d|edad)
    fecha de nacimiento
    (disculpe|disculpen|disculpa|perdone|perdona) las molestias
    (volvemos|volveremos) (pronto|enseguida|en breve)
  `,
  it: lines`
    (traffico|attività) (insolit|sospett|anomal)
    richieste automatizzate
    (che non sei|di non essere) un robot
    (tua|sua) (richiesta|connessione) è stata (bloccata|rifiutata)
    (in|per) manutenzione
    manutenzione (programmata|in corso)
    (riprova|riprovare|torna) (\p{L}+ ){0,4}(più tardi|tra (qualche|pochi)|presto)
    (temporaneamente|momentaneamente) (non disponibile|fuori servizio)
    si è verificato un errore
    connessione (al|con il) database
    (utilizziamo|usiamo|utilizza) (i )?cookie
    (accetta|rifiuta) tutt[io]
    (gestisci|personalizza) (le )?(opzioni|preferenze|scelte)
    (almeno|più di) \d\d anni
    data di nascita
    maggiorenne
    ci scusiamo per il disagio
    (torniamo|torneremo|saremo) (di nuovo )?(presto|subito|online)
  `,
  pt: lines`
    (tráfego|atividade) (incomum|suspeit)
    (solicitações|pedidos|acessos) automatizad
    que (você )?(não é um robô|é humano)
    (em|para) manutenção
    manutenção programada
    (tente|volte) (\p{L}+ ){0,4}(mais tarde|em alguns|em breve|novamente)
    temporariamente (indisponível|fora do ar)
    ocorreu um erro
    (conexão|ligação) (com o|ao|à) (banco|base) de dados
    (utilizamos|usamos|utiliza|usa) cookies
    (aceitar|rejeitar|recusar) tod[ao]s
    (gerenciar|gerir|configurar) (as )?(opções|preferências|cookies)
    (mais de|pelo menos|menos de) \d\d anos
    data de nascimento
    maior de idade
  `,
  nl: lines`
    ongebruikelijk (verkeer|activiteit)
    geautomatiseerde (verzoeken|toegang)
    dat (je|u) (geen robot|een mens) bent
    (gepland|wegens|in) onderhoud
    onderhoudswerkzaamheden
    probeer het (\p{L}+ ){0,4}(later|opnieuw|over (een paar|enkele))
    (tijdelijk|momenteel) niet (beschikbaar|bereikbaar)
    er is (iets mis|een (onverwachte )?fout|iets fout)
    (verbinding|verbinden) met de database
    (gebruiken|gebruikt|plaatsen) cookies
    alle(s)? (cookies )?(accepteren|weigeren)
    (voorkeuren|instellingen|keuzes) (beheren|aanpassen|wijzigen)
    (minimaal|minstens|ouder dan) \d\d jaar
    geboorte(datum|jaar)
  `,
  pl: lines`
    nietypow\p{L}+ (ruch|aktywność)
    (że )?nie jesteś robotem
    prac(e|ami|) (serwisow|konserwacyjn|techniczn)\p{L}+
    przerw\p{L} techniczn\p{L}+
    spróbuj (\p{L}+ ){0,4}(później|ponownie|za (chwilę|kilka))
    (chwilowo|tymczasowo) niedostępn
    wystąpił (\p{L}+ )?błąd
    (używamy|korzystamy z) (plików )?cookie
    (akceptuj|zaakceptuj|odrzuć) wszystkie
    (ukończone|ukończyłem|masz) \d\d lat
    datę urodzenia
  `,
  ru: lines`
    запросы( с вашего устройства)? похожи на автоматические
    (необычн|подозрительн)\p{L}+ (трафик|активность)
    автоматическ\p{L}+ запрос
    (что )?вы не робот
    (технические|профилактические|плановые) работы
    (попробуйте|зайдите|повторите) (\p{L}+ ){0,4}(позже|через)
    временно (недоступ|закрыт|не работает)
    произошла (\p{L}+ )?ошибка
    (подключени|соединени)\p{L}+ (к|с) баз\p{L}+ данных
    используем (файлы )?cookie
    принять все
    (исполнилось|старше|есть) \d\d
    дату рождения
  `,
  other: lines`
    (технічні|планові) роботи
    (спробуйте|зайдіть) (\p{L}+ ){0,4}(пізніше|за)
    (probíhá|plánovan\p{L}) údržb
    zkuste (to )?(\p{L}+ ){0,4}(později|znovu|za)
    (že )?nejste robot
    (planerat underhåll|underhållsarbete)
    försök (igen|\p{L}+ igen) (senare|om)
    att du (inte är en robot|är människa)
    ett (\p{L}+ )?fel (har )?(inträffat|uppstått|uppstod)
    (planlagt vedligeholdelse|der opstod en fejl|prøv igen)
    (acceptera|godkänn|accepter) alla?
    robot olmadığınızı
    bakım (çalışma|nedeniyle)
    (daha sonra|lütfen) tekrar deneyin
    bir hata oluştu
    ロボットではない
    (通常とは異なる|不審な)(トラフィック|アクセス)
    メンテナンス(を実施|のため|中)
    しばらく(し|たっ|経っ)てから
    エラーが発生
    \d\d歳(以上|未満)
    生年月日
    (异常|異常)(流量|访问|訪問|活动|活動)
    不是(机器人|機器人)
    (系统|系統|网站|網站)(正在)?(进行|進行)?(维护|維護)
    (请|請)(稍后|稍後|过一会|稍候)(再试|再試|重试|重試|访问|訪問)
    (数据库|資料庫)(连接|連線)
    (年满|年滿|未满|未滿) ?\d\d
    비정상적인 (트래픽|접근|활동)
    로봇이 아님
    (시스템|서비스|정기|긴급) ?점검
    (잠시|나중에) (후|다시) (다시 )?(시도|접속)
    لست روبوت
    (أعمال|قيد|تحت) (ال)?صيانة
    (حاول|المحاولة) (مرة أخرى|مجددا|لاحقا)
  `,
};
