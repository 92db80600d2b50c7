import { lines, type Phrases } from './phrases.js';

/** Titles and headings of pages that replace the content: checks for robots, gates, maintenance, errors. */
export const interstitialTitles: Phrases = {
  en: lines`
    (just a|one) (moment|second)( please)?
    please wait( a moment)?
    attention required
    access (to this (page|site) )?(has been |is |was )?(temporarily )?(denied|blocked|restricted)
    (request|connection|session) (has been |was |is )?(blocked|rejected|denied|timed out)
    (you have been|you are|you['’]ve been) blocked
    pardon (our|the) interruption
    (security|robot|bot|browser|human|captcha) (check|verification|challenge)
    captcha
    (are|confirm|verify|prove|make sure)( that)? (you( are|['’]re)?|you) (really )?(a |an )?(human|person|robot|real person|not a (ro)?bot)
    (please )?(confirm|verify|prove)( that)? you( are|['’]re) (not a (ro)?bot|(a )?(human|person))
    checking your browser
    unusual traffic( detected)?
    too many requests
    (the |our |this |we are |we['’]re )?(site |website |page |shop )?(is |currently |temporarily )*(down|closed|offline|unavailable)( for)?( scheduled| planned| routine)? maintenance
    (scheduled|planned|routine|site|website|system|server) maintenance( in progress)?
    (we are |we['’]re |site |website |system |currently |temporarily |is )*(under|undergoing|in) maintenance( mode)?
    maintenance mode
    (we['’]ll |we will |will )?(be )?(right |soon )?back (soon|shortly|online soon|in a (few )?(moment|minute)s?)
    (we['’]ll |we will )?be right back
    ((the|this|our) )?(site|website|service|page|server|shop|store) (is )?(currently |temporarily )?(unavailable|down|offline)
    (service|temporarily) unavailable
    (error |http )?(500 )?internal (server )?error
    (error |http )?(502 )?bad gateway
    (error |http )?(503 )?service unavailable
    (error |http )?(504 )?gateway time-?out
    (http |http error |error )(500|502|503|504)
    (error establishing|can(no|['’])t (establish|connect to)|could not connect to|failed to connect to) (a |the )?database( connection)?
    (database|server|application|site|system|runtime|fatal|unexpected|script|query|connection) (connection )?(error|exception|failure)
    error( page)?
    (oops|whoops)[,!.]* *(something went wrong|there was an error|an error occurred)?
    (something|it looks like something) (has gone|went) wrong
    (an|we hit an) (unexpected |internal |unknown )?error( has)?( occurred)?
    before you continue( to [\p{L}\p{N} .]+)?
    (we|your) (value|care about|respect) your privacy
    (your )?(cookie|privacy) (consent|settings|preferences|choices)
    we use cookies
    (age|date of birth) (verification|check|gate|confirmation|restriction)
    (please )?(verify|confirm|enter) your (age|date of birth)
    are you (at least |over |older than |of )?(\d\d|legal (drinking )?age|of age|old enough)( years)?( old| of age| or older| or over)?
    how old are you
    (this )?(account|site|website|domain) (has been |is )?(suspended|disabled|expired|parked|for sale)
    (this )?domain (name )?(is|may be) for sale
    rate limit( exceeded| reached)?
    slow down
    whoa there
    making sure you['’]re not a bot
    (your )?access to this (site|service|page) has been limited( by the site owner)?
    (web ?site |site |page |shop |we are |we['’]re )*(under construction|coming soon|opening soon|launching soon)
    (your )?session (has |is )?(expired|ended)
    (this (content|page|site) is )?not available in your (country|region|location)
    unavailable (due to|for) legal reasons
    (your browser is )?(an )?(unsupported|outdated|not supported|out of date)( browser)?
    (please )?(sign|log) ?in( to (continue|view|access)( \p{L}+){0,3})?
    members only
    waiting room
    you are (now )?(waiting )?in (line|the queue|a queue|a virtual queue)
    (bad gateway|web server is down|gateway time-?out|service unavailable|host error) error code \d+
    server error in .{0,60} application
    (we['’]re|we are) sorry,? (but )?something went wrong
    subscribe to (continue|read)( reading)?
    it works
  `,
  de: lines`
    einen (moment|augenblick)( bitte)?
    bitte (kurz )?warten( sie)?
    (sind sie|bist du) (wirklich )?(ein )?(mensch|roboter)
    (bitte )?(bestätigen|beweisen) sie,? dass sie (ein mensch|kein (ro)?bot(er)?) sind
    (sicherheits|roboter|browser)(prüfung|überprüfung|abfrage|check)
    zugriff (wurde |ist )?(verweigert|gesperrt|blockiert|eingeschränkt)
    zu viele anfragen
    (die |unsere )?(seite|website|webseite)?\s?(wird |ist )?(derzeit |gerade |momentan )?(gewartet|im wartungsmodus|wegen wartung(sarbeiten)? (geschlossen|nicht erreichbar))
    (geplante |aktuelle )?wartung(sarbeiten|smodus|spause)?
    wir sind (gleich|bald|in kürze) (wieder|zurück)( da| für sie da)?
    (vorübergehend|derzeit|momentan) nicht (verfügbar|erreichbar)
    (interner )?(server|datenbank|system|anwendungs)-?fehler
    fehler( beim (aufbau|herstellen) der datenbankverbindung)?
    (hoppla|ups)[,!.]*
    (da |hier )?ist etwas schief ?gelaufen
    (es ist )?ein (unerwarteter |interner )?fehler( ist)? (aufgetreten)
    bevor sie (fortfahren|weiterlesen)
    (ihre|deine) privatsphäre( ist uns wichtig)?
    (wir respektieren|wir schätzen) (ihre|deine) privatsphäre
    (cookie|datenschutz|privatsphäre)-?(einstellungen|zustimmung|einwilligung)
    wir verwenden cookies
    altersprüfung
    (mit werbung )weiterlesen
    zustimmung
    warteraum
    sie (sind|befinden sich) in der warteschlange
    alters(verifikation|kontrolle|abfrage|nachweis|bestätigung)
    (sind sie|bist du) (schon |mindestens |über |bereits )*(\d\d|volljährig)( jahre)?( alt)?
  `,
  fr: lines`
    (un instant|un moment|veuillez patienter)( s['’]il vous plaît)?
    (êtes-vous|es-tu) (un |une )?(humain|robot|personne)
    (confirmez|vérifiez|prouvez) que vous (êtes humain|n['’]êtes pas un robot)
    (vérification|contrôle) (de sécurité|du navigateur|anti-robot|que vous êtes humain|de l['’]âge)
    accès (refusé|bloqué|restreint|interdit)
    trop de requêtes
    (site |page )?(est )?(en|actuellement en|fermé pour) (cours de )?maintenance( programmée)?
    maintenance (en cours|programmée|planifiée|du site)
    (nous (serons|sommes) )?(bientôt|vite) de retour
    (service |site |page )?(temporairement|momentanément) indisponible
    service indisponible
    erreur( interne)?( du serveur| serveur| de (la )?(connexion à la )?base de données)?
    (une )?erreur (inattendue |interne )?(s['’]est produite|est survenue)
    (avant de continuer|nous respectons votre vie privée|votre vie privée( nous importe| est importante)?)
    (gestion|paramètres|préférences) (des cookies|de confidentialité)
    (nous utilisons|ce site utilise) des cookies
    (avez-vous|as-tu) (plus de |au moins )?(\d\d ans|l['’]âge légal)
    (êtes-vous|es-tu) majeure?
  `,
  es: lines`
    (un momento|espere|espera)( por favor)?
    ¿?(eres|es usted) (un |una )?(humano|robot|persona)\??
    (confirma|confirme|verifica|verifique|demuestre) que (no (eres|es) un robot|(eres|es) humano)
    (verificación|comprobación|control) (de seguridad|humana|del navegador|de edad)
    acceso (denegado|bloqueado|restringido|prohibido)
    demasiadas (solicitudes|peticiones)
    (sitio |página |web |estamos )*(en|por) (tareas de )?mantenimiento( programado)?
    mantenimiento( programado| en curso| del sitio)?
    (volvemos|volveremos|regresamos) (pronto|enseguida|en breve)
    (sitio |servicio |página )?(no disponible temporalmente|temporalmente no disponible|temporalmente fuera de servicio)
    servicio no disponible
    error( interno)?( del servidor| de (la )?base de datos| al (establecer|conectar)( una| con)?( la)?( conexión( con| a))?( la)? base de datos)
    (algo (ha salido|salió|fue) mal|(se ha producido|ha ocurrido|ocurrió) un error( inesperado)?)
    (antes de continuar|valoramos tu privacidad|tu privacidad( es importante| nos importa)?)
    (utilizamos|usamos) cookies
    (configuración|preferencias) de (cookies|privacidad)
    ¿?(eres|es usted) mayor de (\d\d|edad)( años)?\??
  `,
  it: lines`
    (un momento|attendere|attendi)( prego| per favore)?
    sei (un |una )?(umano|robot|persona)
    (conferma|verifica|dimostra) (che non sei|di non essere) un robot
    (verifica|controllo) (di sicurezza|umana|del browser|dell['’]età)
    accesso (negato|bloccato|limitato)
    troppe richieste
    (sito |pagina )?(in|in corso di) manutenzione( programmata)?
    manutenzione( programmata| in corso| del sito)?
    torniamo (presto|subito)
    (sito |servizio |pagina )?(temporaneamente|momentaneamente) non disponibile
    servizio non disponibile
    errore( interno)?( del server| (di|nella) (connessione (al|del) )?database)?
    (qualcosa è andato storto|si è verificato un errore( imprevisto)?)
    (prima di continuare|rispettiamo la tua privacy|la tua privacy( è importante)?)
    (utilizziamo|usiamo) i cookie
    (hai (più di |almeno )?\d\d anni|sei maggiorenne)
  `,
  pt: lines`
    (um momento|aguarde)( por favor)?
    (você é|és) (um |uma )?(humano|robô|pessoa)
    (confirme|verifique|prove) que (você )?(não é um robô|é humano)
    verificação (de segurança|humana|do navegador|de idade)
    acesso (negado|bloqueado|restrito)
    (site |página |estamos )*em manutenção( programada)?
    manutenção( programada| em andamento| do site)?
    (voltamos|voltaremos|estaremos de volta) (em breve|já|logo)
    (site |serviço |página )?temporariamente indisponível
    serviço indisponível
    erro( interno)?( do servidor| (na|de) (conexão com o )?banco de dados| ao (estabelecer|conectar)[\p{L} ]{0,30} banco de dados)
    (algo deu errado|ocorreu um erro( inesperado)?)
    (antes de continuar|valorizamos (a )?sua privacidade|sua privacidade( é importante)?)
    (utilizamos|usamos) cookies
    (você tem|tem) (mais de |pelo menos )?\d\d anos
    (você é|é) maior de idade
  `,
  nl: lines`
    (een|één) (ogenblik|moment)( geduld)?( a\.?u\.?b\.?)?
    (ben je|bent u) (een )?(mens|robot)
    (bevestig|controleer|bewijs) dat (je|u) (geen robot|een mens) bent
    (beveiligings|leeftijds|browser)controle
    toegang (geweigerd|geblokkeerd|beperkt)
    te veel verzoeken
    (de |deze |onze )?(site |website )?(is )?(in|wegens) onderhoud( gesloten)?
    (gepland )?onderhoud(swerkzaamheden)?
    we zijn (zo|snel|binnenkort) (terug|weer online)
    (tijdelijk|momenteel) niet (beschikbaar|bereikbaar)
    (interne )?(server|database|systeem)fout
    (er (is|ging) iets (mis|fout)( gegaan)?|er is een fout opgetreden)
    (voordat (je|u) verdergaat|(we|wij) (respecteren|waarderen) (je|uw) privacy|(je|uw) privacy)
    (we|wij) gebruiken cookies
    (ben je|bent u) (ouder dan |minstens |al )?\d\d( jaar)?( of ouder)?
  `,
  pl: lines`
    (chwileczkę|proszę czekać)
    czy jesteś (człowiekiem|robotem)
    (potwierdź|udowodnij),? że (nie jesteś robotem|jesteś człowiekiem)
    dostęp (zabroniony|zablokowany|ograniczony)
    odmowa dostępu
    (przerwa techniczna|prace (serwisowe|konserwacyjne)|konserwacja( strony)?)
    (strona|serwis|usługa) (jest )?(chwilowo |tymczasowo )?niedostępn[ay]
    wracamy (wkrótce|niebawem)
    (wewnętrzny )?błąd( serwera| (połączenia z )?baz[yą] danych)?
    (coś poszło nie tak|wystąpił (nieoczekiwany )?błąd)
    (zanim przejdziesz dalej|cenimy (twoją )?prywatność|szanujemy twoją prywatność)
    (używamy|korzystamy z) (plików )?cookies?
    (czy (masz|ukończyłeś) (ukończone )?\d\d lat|weryfikacja wieku)
  `,
  ru: lines`
    (подождите|секунду|один момент|минутку)( пожалуйста)?
    (вы (человек|робот|не робот)|подтвердите,? что вы (не робот|человек))
    проверка (безопасности|браузера|возраста|на робота)
    доступ (к сайту )?(запрещ[её]н|ограничен|заблокирован)
    слишком много запросов
    (на сайте )?(ведутся |проводятся )?(технические|профилактические) работы
    (сайт|сервис|страница) (временно )?(недоступ(ен|на)|на обслуживании|закрыт)
    (мы )?скоро верн[её]мся
    (внутренняя )?ошибка( сервера| (соединения с |подключения к )?баз(ы|е|ой) данных)?
    (что-то пошло не так|произошла (непредвиденная )?ошибка)
    (мы ценим вашу (конфиденциальность|приватность)|мы используем (файлы )?cookie)
    (вам (уже )?(есть |исполнилось )?\d\d( лет)?|подтвердите (свой |ваш )?возраст)
  `,
  uk: lines`
    (зачекайте|хвилинку)( будь ласка)?
    (ви (людина|робот)|підтвердьте,? що ви (не робот|людина))
    доступ (заборонено|обмежено|заблоковано)
    (технічні|профілактичні) роботи
    (сайт|сторінка|сервіс) (тимчасово )?недоступн(ий|а)
    (внутрішня )?помилка( сервера| бази даних)?
  `,
  cs: lines`
    (okamžik|moment)( prosím)?
    (jste (člověk|robot)|potvrďte,? že nejste robot)
    přístup (odepřen|zamítnut|zablokován)
    (probíhá |plánovaná )?údržba( webu| stránek)?
    (stránka|web|služba) (je )?dočasně nedostupn[áýé]
    (chyba|interní chyba)( serveru| databáze| připojení k databázi)?
    (je vám (již |více než )?\d\d( let)?|ověření věku)
    (vážíme si vašeho soukromí|používáme cookies)
  `,
  sv: lines`
    (ett ögonblick|vänta)( tack)?
    (är du (en )?(människa|robot)|bekräfta att du (inte är en robot|är (en )?människa))
    åtkomst (nekad|blockerad)
    (planerat |pågående )?underhåll(sarbete)?( pågår)?
    (tillfälligt|för närvarande) (otillgänglig|stängd|nere)
    vi är snart tillbaka
    (server|databas|internt )-?fel
    (något gick fel|ett (oväntat )?fel (har )?(inträffat|uppstod))
    (vi värnar om din integritet|vi använder cookies)
    (är du (över |minst )?\d\d( år)?|ålderskontroll)
  `,
  da: lines`
    (et øjeblik|vent)( venligst)?
    (er du (et )?(menneske|robot)|bekræft,? at du ikke er en robot)
    adgang (nægtet|blokeret)
    (planlagt )?vedligeholdelse
    (midlertidigt) (utilgængelig|lukket)
    (der opstod en fejl|noget gik galt|serverfejl|databasefejl)
    (vi værner om dit privatliv|vi bruger cookies|er du (over |fyldt )?\d\d( år)?)
  `,
  tr: lines`
    (bir dakika|lütfen bekleyin(iz)?)( lütfen)?
    (insan mısınız|robot musunuz|robot olmadığınızı doğrulayın)
    (erişim (engellendi|reddedildi|yasaklandı))
    (bakım (çalışması|modu)|(site(miz)? )?bakımda(dır|yız)?)
    (geçici olarak )?(hizmet dışı|kullanılamıyor)
    (sunucu|veritabanı)( bağlantı)? hatası
    (bir hata oluştu|bir şeyler ters gitti)
    (çerez(ler)? kullanıyoruz|gizliliğinize (değer veriyoruz|saygı duyuyoruz))
    (\d\d yaşından büyük müsünüz|yaş doğrulama(sı)?)
  `,
  ja: lines`
    (しばらく|少々)お待ちください
    (あなたは)?(人間|ロボット)(ですか|ではありません(か)?|であることを確認)
    アクセス(が)?(拒否|ブロック|制限)(されました|されています)?
    (ただいま|現在)?(サーバー?)?(メンテナンス|保守)(作業)?(中|のお知らせ)?(です|となっております)?
    (一時的に)?(ご利用|アクセス)(いただけません|できません)
    (サーバー?|データベース|内部|システム)(接続)?エラー(が発生しました)?
    エラー(が発生しました)?
    年齢(確認|認証)
    (あなたは)?\d\d歳以上ですか
  `,
  zh: lines`
    请(稍候|稍等|等待)
    請(稍候|稍等|等待)
    (安全|人机|人機|真人|机器人)(验证|驗證|检查|檢查)
    (请|請)?(确认|確認|验证|驗證)(您|你)(是真人|不是机器人|不是機器人|是人类)
    (访问|訪問|存取)(被)?(拒绝|拒絕|受限|阻止)
    (系统|系統|网站|網站)?(正在)?(维护|維護)(中|公告)?
    (网站|網站|服务|服務)?(暂时|暫時)(无法|無法|不可)(访问|訪問|使用|用)
    (服务器|伺服器|数据库|資料庫)(内部|內部|连接|連線)?(错误|錯誤)
    (发生|發生|出现|出現)(了)?(错误|錯誤)
    (年龄|年齡)(验证|驗證|确认|確認)
  `,
  ko: lines`
    잠시만 기다려 ?주세요
    (사람|로봇)(인지|이 아님을) 확인
    (접근|접속|액세스)(이|가)? (거부|차단|제한)(되었습니다|됨)?
    (서비스|시스템|사이트)? ?점검 ?(중|안내)(입니다)?
    (서버|데이터베이스)( 연결)? 오류
    오류가 발생했습니다
    (연령|나이|성인) ?(확인|인증)
  `,
  ar: lines`
    (يرجى الانتظار|لحظة من فضلك)
    تم (رفض|حظر) الوصول
    (الموقع )?(تحت|قيد) الصيانة
    (خطأ في (الخادم|قاعدة البيانات)|حدث خطأ)
    التحقق من (العمر|أنك لست روبوتا?ً?)
  `,
};
