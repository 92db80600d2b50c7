/*
 * Words that say little about the topic of a question: articles, pronouns, prepositions, auxiliary verbs, question
 * words, and verbs that any request may contain. In an agent with few sources, their frequency does not show it. Words
 * such as "open", "price" or "order" are missing on purpose: they are topics.
 */

/** By language: the canonical widget locale without its region. Separated by spaces. */
export const commonWords: Readonly<Record<string, string>> = {
  af: `die n 'n en is het dit wat wie waar wanneer hoe hoekom watter hoeveel lank ek jy u hy sy ons julle hulle my jou
    sal kan moet mag wil wou sou was wees word word nie geen ja nee van vir met op in by na aan uit tot oor onder as of
    maar ook om te dat daar hier so nog al baie meer enige iets alles asseblief vertel weet kry gee vind doen maak gaan
    kom moontlik nodig graag`,
  ar: `ما ماذا من متى أين كيف لماذا كم أي هل هو هي هم نحن أنا أنت أنتم هذا هذه ذلك تلك هناك هنا الذي التي الذين في على إلى
    عن مع بعد قبل بين عند لدى حتى منذ خلال دون كل بعض غير أو أم و ثم لكن بل إن أن إذا لو لا لم لن ليس نعم كان كانت يكون
    تكون قد سوف يمكن يمكنني أستطيع تستطيع أريد أحتاج يجب لدي لديكم لكم لك لي به بها فيه فيها منه منها عليه عليها له لها
    كما أكثر أقل جدا أيضا فقط شيء أعرف أخبرني فضلك رجاء يوجد توجد عندي عندكم حول مدة وقت`,
  az: `nə nədir kim harada haradan hara nə vaxt necə niyə hansı neçə nə qədər mən sən siz o biz onlar bu həmin və ya ilə
    üçün ki də da ki amma isə əgər var yoxdur yox bəli deyil mi mı mu mü edir etmək edə olar olur olan idi bilər bilərəm
    istəyirəm lazımdır lazım zəhmət olmasa haqqında çox daha ən hər bütün mənim sizin sizdə məndə kimi qədər sonra əvvəl`,
  be: `што хто дзе куды адкуль калі як чаму навошта які якая якое якія колькі я ты вы ён яна яно мы яны мне мяне вам вас
    нам мой мая ваш ваша гэта гэты гэтая той тая і ці або але а не ні так у ў на з са да ад па пра для за без пры праз
    пасля перад ёсць быў была было будзе можна магу можа трэба хачу калі ласка скажыце вельмі больш яшчэ ўсе ўсё каб бы`,
  bg: `какво какъв каква какви кой коя кое кои къде откъде кога как защо колко ли аз ти вие той тя то ние те ми ме ви ни
    му се си мой моя вашия ваш ваша това този тази тези онзи и или но а не да на в във с със за от до по при след преди
    без през към е съм си сте са беше бяха ще бъде има няма мога може можете трябва искам моля кажете много повече още
    всички всичко ако че който която които така тук там`,
  bn: `কি কী কে কোথায় কখন কেন কিভাবে কীভাবে কত কোন কোনটি আমি তুমি আপনি সে তারা আমরা আমার আপনার আপনাদের তার তাদের
    এই ওই এটা এটি সেই এবং ও বা কিন্তু না নয় হ্যাঁ জন্য থেকে সাথে সঙ্গে পর্যন্ত মধ্যে উপর আগে পরে আছে নেই হয় হবে ছিল করা
    করে করতে করব পারি পারেন যায় চাই দরকার দয়া করে বলুন অনেক আরও সব যদি যে যা তবে টি টা`,
  bs: `što šta ko tko gdje kada kad kako zašto koji koja koje koliko li je sam si smo ste su bio bila bilo biti ja ti vi on
    ona ono mi oni me mene vam vas nam moj moja vaš vaša ovo ovaj ova taj ta to i ili ali a ne da na u s sa za od do po
    pri poslije prije bez kroz se ima nema imate mogu može možete moram mora treba želim molim hoću će ću više još vrlo
    sve svi ako koji tamo ovdje`,
  ca: `què que qui on quan com per què quin quina quins quines quant quanta quants quantes el la els les l un una uns unes
    de del dels d a al als en amb per sense sobre entre fins des i o però no si jo tu vostè ell ella nosaltres vosaltres
    ells em et es ens us li hi ho me te se meu meva vostre vostra seu seva aquest aquesta aquests això aquell és són era
    estar està estan ser hi ha haver té teniu tenen tinc puc pot podeu poden vull voldria cal he de fer fa fan molt més
    menys tot tots algun alguna algú també només ja sisplau si us plau digues saber necessito hora temps`,
  cs: `co kdo kde kam odkud kdy jak proč jaký jaká jaké který která které kolik já ty vy on ona ono my oni mi mě mne mně
    vám vás nám nás ho mu jí jim jejich můj moje váš vaše svůj ten ta to tento tato toto tam tady a i nebo ale že
    aby když pokud ne ano v ve na do z ze s se si k ke u o od po pro při přes před za bez mezi je jsou jsem jste
    jsme byl byla bylo být bude budou mám má máte mají mít mohu můžu může můžete lze jde musím musí chci chtěl
    potřebuji prosím řekněte velmi více ještě už všechny vše také jen nějaký něco koupit prodáváte začíná začít
    přinést vzít nabízíte přijímáte používat číslo`,
  cy: `beth pa pwy ble pryd sut pam faint sawl ydy yw mae oes ydych rydw i ti chi ef hi ni nhw fy dy eich ei eu y yr a ac neu
    ond nid na ddim ie o i yn ar gan am at dros heb gyda wedi bydd oedd bod gallaf gallwch allaf rhaid eisiau angen os
    gwelwch dda hwn hon hyn yma yno mwy iawn pob rhai gwneud cael mynd`,
  da: `hvad hvem hvor hvornår hvordan hvorfor hvilken hvilket hvilke hvis mange meget længe ofte jeg du De han hun den
    det vi I de mig dig Dem os jer ham hende min mit mine din dit deres jeres sin sit en et og eller men at som
    for til fra af i på med om ved under over efter før uden mellem hos er var være bliver blev har havde kan
    kunne skal skulle vil ville må får få gør gøre tage går komme der her ikke ingen ja nej noget nogen nogle alle
    alt også kun mere mest så end når da denne dette disse venligst tak fortælle vide gerne brug behøver muligt
    findes man klokken tid købe sælge sælger begynde begynder starter medbringe tilbyde tilbyder bruge acceptere
    nummer`,
  de: `der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner ich du er sie es wir ihr
    Sie mich dich sich uns euch ihm ihn ihnen mein meine meinen meinem meiner dein deine deinen sein seine seinen
    ihre ihren ihrem ihrer unser unsere euer eure dieser diese dieses diesen diesem jener jene man jemand niemand
    etwas nichts alle alles allem allen jeder jede jedes jeden viele viel mehr wenig weniger einige manche solche
    andere anderen wer wen wem wessen was wann wo woher wohin wie warum wieso weshalb wozu womit wofür welcher
    welche welches welchen welchem wieviel wieviele ob dass daß wenn weil als da denn und oder aber sondern doch
    auch noch nur schon sehr so dann hier dort dazu davon damit daran dafür darüber ja nein nicht nie immer bitte
    mal eigentlich überhaupt genau etwa ungefähr in im ins an am ans auf aus bei beim bis durch für gegen mit nach
    ohne seit über um unter von vom vor zu zum zur zwischen während wegen ab pro bin bist ist sind seid war waren
    wäre gewesen werde wird werden wurde wurden würde habe hast hat haben habt hatte hatten hätte kann kannst
    können könnt könnte könnten muss musst müssen müsst soll sollte sollen darf darfst dürfen will willst wollen
    möchte möchten mag gibt geben gebt geht gehen kommt komme kommen macht machen mache tun tut lange oft weit
    gern gerne raus rein weiß wissen sagen sag sagt erzähl erklären zeigen finde finden brauche braucht brauchen
    bekomme bekommen nehmen lassen passiert heißt bedeutet möglich uhr zeit bringe bringen bringt mitbringen
    mitbringe mitnehmen bekommt kriegen kriege anbieten bietet bieten verkauft verkaufen verkaufe kaufen kaufe
    kauft starten beginnt beginnen anfangen fängt akzeptieren akzeptiert nimmt nutzen benutzen verwenden passieren
    nummer`,
  el: `τι ποιος ποια ποιο ποιοι ποιες πού που πότε πώς πως γιατί πόσο πόσα πόσες πόσοι πόση εγώ εσύ εσείς αυτός αυτή αυτό
    εμείς αυτοί μου σου σας μας του της τους τον την το τα τις οι ο η των ένα ένας μια μία και ή αλλά δεν δε μη μην ναι
    όχι να θα σε στο στη στην στον στα στις στους από με για προς κατά μετά πριν χωρίς μέχρι ως είναι είμαι είστε ήταν
    έχω έχει έχετε έχουν μπορώ μπορεί μπορείτε πρέπει θέλω χρειάζομαι υπάρχει υπάρχουν κάνω κάνει κάνετε αν ότι όταν
    πολύ περισσότερο όλα όλοι κάτι εδώ εκεί αυτά παρακαλώ πείτε ώρα`,
  en: `a an the this that these those i me my mine myself we us our ours you your yours he him his she her hers it its
    they them their theirs one ones someone somebody anyone anybody everyone everybody nobody who whom whose which
    what when where why how whether whatever if then than because so as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again
    further once here there and or but nor not no yes only just also too very more most much many some any all
    both each few other another such own same less least enough even still already yet ever never always often
    usually long far soon quickly is are am was were be been being isn aren wasn weren do does did doing don doesn
    didn done have has had having haven hasn hadn can could cannot couldn will would won wouldn shall should
    shouldn may might must need needs let lets s t d ll m re ve im ive whats wheres whos hows thats cant dont
    doesnt isnt get gets getting got give gives given go goes going gone come comes coming take takes taking make
    makes made use uses used using want wants wanted like likes know knows tell tells show shows say says said see
    find finds look looking help please thank thanks happen happens mean means think believe explain describe
    possible able way thing things something anything everything nothing kind sort somewhere anywhere time times
    without within per via upon around across towards toward upto ok okay hi hello hey bring brings bringing
    brought buy buys buying sell sells start starts starting started begin begins beginning keep keeps put puts
    try tries offer offers provide provides accept accepts hold become learn number numbers talk speak`,
  es: `el la los las lo un una unos unas de del a al en con por para sin sobre entre hasta desde hacia según durante tras
    y e o u ni pero sino que qué quién quien quiénes cuál cual cuáles cuándo cuando dónde donde adónde cómo como
    cuánto cuanto cuánta cuántos cuantos cuántas porque si sí no yo tú usted ustedes él ella ello nosotros
    vosotros ellos ellas me te se nos os le les mi mis tu tus su sus nuestro nuestra vuestro vuestra mío mía este
    esta estos estas esto ese esa esos eso aquel aquella algo alguien alguno alguna algún nada nadie ninguno
    ninguna ningún todo toda todos todas otro otra otros cada mucho mucha muchos muchas muy más menos poco poca
    también tampoco ya aún todavía solo sólo aquí allí ahí así es son era eran fue ser soy eres somos sea está
    están estoy estás estar estáis hay haber he ha han había tengo tiene tienen tenéis tienes tenemos tener puedo
    puede pueden podéis puedes podemos poder podría debo debe deben quiero quiere quería querría necesito necesita
    hace hacen hago hacer hacéis voy va van ir dar da dan dais doy sabe saber sé decir dime dígame favor gracias
    tanto tal mismo vez hora horas tiempo posible valen vale traer llevar llevo traigo comprar compro vender
    vendéis vende venden empezar empieza comienza comenzar ofrecer ofrece ofrecen ofrecéis aceptar acepta aceptan
    aceptáis usar utilizar conseguir obtener número`,
  et: `mis mida kes kus kuhu kust millal kuidas miks milline millised kui palju mitu ma mina sa sina te teie ta tema me meie
    nad nemad mu minu su sinu teil mul see need seda selle sellel ja või aga ning ei jah ka on olen oled olete oli olla
    pole saab saan saate võib võin tuleb pean peab tahan soovin vaja palun öelge kas et kuni alates kohta juures pärast
    enne ilma koos väga rohkem kõik iga mõni siin seal nii`,
  eu: `zer zein nor non nora nondik noiz nola zergatik zenbat ni zu hura gu zuek haiek nire zure bere gure hau hori hori
    horiek eta edo baina ez bai da dira naiz zara zen dut du dute duzu duzue dago daude behar nahi ahal al egin egiten
    izan dezaket daiteke mesedez bat batzuk guzti oso gehiago hemen hor ere baino arte gabe buruz`,
  fa: `چه چی چیست کی که کجا چطور چگونه چرا چقدر چند کدام آیا من تو شما او ما آنها ایشان این آن اینجا آنجا و یا اما ولی
    اگر نه بله در به از با برای تا بر روی بدون بین هر همه هیچ را هم نیز فقط است هست هستید هستند بود باشد شود می‌شود شده
    دارم دارد دارید دارند داشتن کنم کنید کند می‌توانم می‌توان می‌توانید باید خواهم می‌خواهم نیاز لطفا بگویید خیلی بیشتر
    ام ای اید ها های`,
  fi: `mikä mitä mitkä minkä missä mihin mistä milloin koska miten kuinka miksi kuka ketä kenen kumpi millainen montako
    paljonko kauanko minä sinä te hän se ne me he minun sinun teidän teillä minulla minulle meidän hänen sen tämä
    tätä nämä tuo siellä täällä ja tai mutta ei en et emme ette eivät kyllä jos kun että kuin on ovat olen olet
    olette oli olivat olla ole onko voi voin voiko voinko voitte saa saako saanko saan pitää pitääkö täytyy haluan
    haluaisin tarvitsen tarvitseeko tehdä tekee käy kiitos hyvä kerro myös vain vielä jo hyvin paljon enemmän
    kaikki joku jotain kanssa ilman ennen jälkeen asti kuluttua aikana kohti kertaa kello aika pitkään ostaa myydä
    myyttekö alkaa alkavat tuoda tarjoatteko käyttää hyväksyttekö`,
  fil: `ano sino saan kailan paano bakit alin magkano ilan gaano ang ng mga sa ay na at o pero kung hindi oo ako ikaw ka kayo
    siya kami tayo sila ko mo niya namin natin nila inyo akin iyo ito iyan iyon dito diyan doon may mayroon meron wala
    ba po opo pwede puwede maaari kailangan gusto nais para mula hanggang tungkol kasama lahat bawat mas din rin lang
    pa pakisabi paki`,
  fr: `le la les l un une des de du d à au aux en dans par pour sur sous avec sans chez entre vers depuis pendant avant
    après jusque contre et ou où mais donc or ni car que qu quoi qui quel quelle quels quelles lequel laquelle
    quand comment combien pourquoi si oui non ne n pas plus moins très trop aussi encore déjà seulement je j tu il
    elle on nous vous ils elles me m te t se s lui leur y mon ma mes ton ta tes son sa ses notre nos votre vos
    leurs ce c cet cette ces ceci cela ça celui celle ceux même tout toute tous toutes autre autres chaque quelque
    quelques aucun aucune rien personne est sont suis es êtes sommes était étaient être été sera serait soit a ai
    as avez avons ont avait avoir eu aura fait font fais faire faites faut falloir peut peux pouvez peuvent
    pouvoir puis pourrait dois doit devez devoir veux veut voulez voudrais vouloir va vas vais allez vont aller
    prendre prend donne donner donnez dire dis dit dites sais savoir trouve trouver besoin possible merci svp
    plaît bonjour comme ainsi alors là ici voici voilà il-y-a estce heure heures temps longtemps quelquun chose
    apporter amener acheter vendre vendez vend commencer commence commencent proposer proposez propose offrir
    offrez offre accepter acceptez utiliser obtenir obtient mettre amène apporte`,
  ga: `cad céard cé cá conas cathain cén fáth cé mhéad an na is tá bhfuil níl bhí beidh mé tú sé sí muid sibh siad mo do a ár
    bhur seo sin agus nó ach ní tá ar as ag i in go le do de faoi ó um roimh tar éis gan idir féidir liom teastaíonn tig
    más é le thoil gach aon níos anseo ansin`,
  gl: `o a os as un unha uns unhas de do da dos das en no na nos nas con por para sen sobre entre ata desde e ou pero que
    quen cal cales cando onde como canto canta cantos cantas porque se si non eu ti vostede el ela nós vós eles me te lle
    nos vos lles meu miña seu súa voso vosa este esta isto ese esa iso aquel é son era ser estar está están hai ter teño
    ten teñen tedes podo pode poden podedes quero quere necesito fai facer vai máis menos moi todo todos algún algunha
    tamén só xa favor hora tempo`,
  gu: `શું કોણ ક્યાં ક્યારે કેવી રીતે કેમ કેટલું કેટલા કેટલી કયું કયા કઈ હું તમે તું તે તેઓ અમે આપણે મારું મારા મારી તમારું
    તમારા તમારી આ એ અને અથવા પણ પરંતુ ના નથી હા માટે થી સાથે સુધી માં પર ને નો ની નું ના છે છો છું હતું હશે કરો કરી
    કરવું શકું શકો શકાય જોઈએ જોઈએ કૃપા કરીને વધુ બધા જો કે જે`,
  he: `מה מי איפה היכן מתי איך כיצד למה מדוע כמה איזה איזו אילו האם אני אתה את אתם הוא היא הם אנחנו אנו שלי שלך שלכם
    שלו שלה זה זאת זו אלה שם פה כאן ו או אבל לא כן אם כי ש של על אל עם בין לפני אחרי עד מ ב ל ה את יש אין היה היתה
    יהיה להיות יכול יכולה אפשר ניתן צריך רוצה בבקשה תגיד לדעת לי לך לכם לו לה בו בה עוד יותר מאוד כל גם רק אצלכם`,
  hi: `क्या कौन कहाँ कहां कब कैसे क्यों कितना कितने कितनी कौन सा सी किस किसे मैं आप तुम वह यह वे ये हम मेरा मेरे मेरी
    आपका आपके आपकी उसका इसका इस उस और या लेकिन नहीं हाँ का के की को में पर से तक ने लिए साथ बाद पहले है हैं हूँ था
    थे थी होता होती होते होगा हो कर करना करने करें करते सकता सकते सकती चाहिए चाहता कृपया बताएं बताइए बहुत अधिक सब सभी
    कुछ भी ही तो जो अगर कोई मुझे हमें आपको मिलता मिलती लगता लगते जा जाता रहा`,
  hr: `što tko gdje kamo kada kad kako zašto koji koja koje kojih koliko li je sam si smo ste su bio bila bilo biti ja ti vi
    on ona ono mi oni me mene mi vam vas nam nas moj moja vaš vaša svoj ovo ovaj ova taj ta to i ili ali a ne da na u s sa
    za od do po pri nakon prije bez kroz se ima nema imate imam mogu može možete moram mora treba trebam želim molim hoću
    će ću više još vrlo sve svi ako tamo ovdje neki nešto dobiti vrijeme sati`,
  hu: `mi mit mik ki kit kik hol hova honnan mikor hogyan hogy miért melyik milyen mennyi mennyit mennyibe hány hányan én
    te ön ő ti önök ők nekem neked önnek az a egy ez ezt azt ezek azok itt ott és vagy de nem ne igen is van
    vannak vagyok volt voltak lesz lenni nincs nincsenek lehet lehetséges tudok tud tudom kell akarok szeretnék
    szükséges kérem mondja ha mert csak még már nagyon több minden valami valaki után előtt nélkül között mellett
    szóló -e kapok kaphatok csinál tenni időpont óra meddig mióta venni vásárolni árulnak kezdődik kezdeni
    hozhatok hozni kínálnak elfogadnak használni`,
  hy: `ինչ ով որտեղ ուր երբ ինչպես ինչու որ որը որքան քանի ես դու դուք նա մենք նրանք իմ ձեր նրա մեր այս այդ այն սա դա և ու
    կամ բայց ոչ այո է են եմ եք էր լինել կա կան կարող կարելի պետք ուզում խնդրում մեջ վրա հետ համար մինչև առանց մասին
    շատ ավելի բոլոր ամեն եթե թե որպես`,
  id: `apa apakah siapa di mana dimana kemana kapan bagaimana mengapa kenapa yang berapa saya aku anda kamu dia ia kami
    kita mereka ini itu sini situ sana dan atau tetapi tapi tidak bukan ya ke dari pada dengan untuk oleh tentang
    dalam antara sampai hingga sejak setelah sebelum tanpa adalah ada akan sudah telah belum bisa dapat boleh
    harus perlu ingin mau jika kalau karena sangat lebih semua setiap beberapa juga hanya saja tolong mohon beri
    beritahu tahu lama banyak nya kah lagi saat jam beli membeli jual menjual mulai bawa membawa menawarkan
    menerima menggunakan pakai`,
  is: `hvað hver hvar hvert hvenær hvernig hvers vegna hvaða hve mikið margir lengi ég þú þið hann hún það við þau mig þig
    mér þér minn mín þinn þín ykkar sinn þetta þessi sá og eða en ekki já nei að sem í á með um frá til af við eftir fyrir
    án milli er eru var voru vera verður hef hefur hafa get getur geta má þarf vil vill ef þegar mjög meira allt allir
    einhver hér þar líka bara takk vinsamlegast klukkan tíma`,
  it: `il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal dalla dai
    dalle in nel nella nei nelle con su sul sulla sui per tra fra senza verso fino dopo prima durante e ed o
    oppure ma però che chi cosa cos quale quali quando dove come quanto quanta quanti quante perché perche se sì
    no non io tu lei lui noi voi loro mi ti si ci vi ne me te mio mia miei mie tuo tua suo sua nostro nostra
    vostro vostra questo questa questi queste quello quella quelli ciò qualcosa qualcuno qualche alcuni nessuno
    niente tutto tutta tutti tutte altro altra altri ogni molto molta molti molte più meno poco anche ancora già
    solo qui qua lì là così è sono sei siamo siete era erano essere stato ha ho hai abbiamo avete hanno avere c ce
    posso può puoi possiamo potete possono potrei devo deve dovete bisogna voglio vuole volete vorrei fa fanno
    fare faccio fate va vado andare dare dà date dire dice dimmi sapere sa so trovo trovare serve servono bisogno
    possibile grazie favore ora ore tempo portare porto comprare vendere vendete vende iniziare inizia comincia
    offrire offre offrite accettare accettate accetta usare utilizzare ottenere numero`,
  ja: `何 なに なん 誰 だれ どこ どちら いつ 何時 なぜ どう どうして どうやって どうすれば どの どれ どんな どのくらい どれくらい どのよう いくら いくつ 私 わたし 僕 あなた 彼 彼女 私たち これ それ あれ
    この その あの ここ そこ あそこ こちら そちら は が を に へ と で も の から まで より や か ね よ な ば て た だ です ます でした ました ません ない なかっ ある あり あっ いる い
    おり する し さ せ すれ なる なり なっ られ れる れ できる でき できます ください 下さい 教え 教えて たい いい 良い よい でしょう ござい お ご 御 こと もの とき 時 場合 ため よう そう
    欲しい ほしい 知り 思い いただけ いただき もらえ くれ しまう やっ やり 何か 少し とても もっと また はい いいえ について ついて として という って ので のに けど けれど しかし そして あと 後
    へは では には とは でも 可能 それとも 使え 使う 使い 使 持っ 持つ 持 行く 行っ 行 買え 買う 買 始まり 始まる`,
  ka: `რა ვინ სად საიდან როდის როგორ რატომ რომელი რამდენი მე შენ თქვენ ის ჩვენ ისინი ჩემი თქვენი მისი ეს ეგ აქ იქ და ან
    მაგრამ არ არა კი დიახ არის არიან ვარ ხართ იყო იქნება შეიძლება შემიძლია უნდა მინდა მჭირდება გთხოვთ რომ თუ როცა
    ძალიან მეტი ყველა რამე შესახებ მდე გარეშე ერთად შემდეგ`,
  kk: `не кім қайда қайдан қашан қалай неге қай қандай қанша неше мен сен сіз ол біз олар менің сіздің оның біздің бұл осы
    сол мұнда онда және немесе бірақ емес жоқ иә бар ма ме ба бе па пе болады болу бола еді туралы үшін мен бен пен дейін
    кейін бұрын арқылы керек қажет алады аламын мүмкін қалаймын өтінемін көп өте барлық әр егер да де та те`,
  km: `អ្វី នរណា ណា កន្លែងណា ពេលណា យ៉ាងម៉េច របៀបណា ហេតុអ្វី ប៉ុន្មាន ខ្ញុំ អ្នក គាត់ យើង ពួកគេ នេះ នោះ និង ឬ ប៉ុន្តែ មិន ទេ បាទ
    ចាស នៅ ក្នុង លើ ពី ទៅ ដល់ ជាមួយ សម្រាប់ អំពី ជា មាន គឺ បាន នឹង អាច ត្រូវ ចង់ ដែល របស់ ដោយ ហើយ`,
  kn: `ಏನು ಯಾರು ಎಲ್ಲಿ ಯಾವಾಗ ಹೇಗೆ ಏಕೆ ಎಷ್ಟು ಯಾವ ಯಾವುದು ನಾನು ನೀವು ನೀನು ಅವನು ಅವಳು ಅದು ಇದು ನಾವು ಅವರು ನನ್ನ ನಿಮ್ಮ ಈ ಆ
    ಮತ್ತು ಅಥವಾ ಆದರೆ ಇಲ್ಲ ಹೌದು ಇದೆ ಇವೆ ಇದೆಯೇ ಆಗಿದೆ ಮಾಡಲು ಮಾಡಿ ಬೇಕು ಬಹುದು ಸಾಧ್ಯ ದಯವಿಟ್ಟು ಬಗ್ಗೆ ಗೆ ನಲ್ಲಿ ಇಂದ ಜೊತೆ
    ನಂತರ ಮೊದಲು ಹೆಚ್ಚು ಎಲ್ಲಾ`,
  ko: `무엇 무엇을 무엇인가요 뭐 뭐가 뭔가요 누구 누가 어디 어디서 어디에 어디에서 어디인가요 언제 언제까지 어떻게 왜 어느 어떤 몇 얼마 얼마나 얼마인가요 나 저 제 제가 내 내가 우리 저희 당신 그 그것 이
    이것 저것 여기 거기 그리고 또는 하지만 그런데 아니요 네 예 안 못 있나요 있습니까 있어요 있는 있다 없나요 없어요 되나요 됩니까 돼요 되는 하나요 합니까 해요 하는 할 수 가능한가요 가능 해야
    하고 싶어요 싶은데 주세요 알려주세요 알려 말해 인가요 입니까 이에요 예요 은 는 을 를 의 에 에서 으로 로 와 과 도 만 까지 부터 보다 대해 대한 관한 더 매우 모든 좀 것 때 경우 사용 구매
    살 파나요 시작 가져가 제공`,
  lt: `kas ką ko kam kur iš kada kaip kodėl koks kokia kokie kuris kuri kiek aš tu jūs jis ji mes jie jos man mane jums jūsų
    mano tavo jo savo šis ši tai šie tas ta čia ten ir ar arba bet o ne taip į iš su nuo iki po prie per už be apie prieš
    tarp yra esu buvo būti bus turi turite turiu galiu gali galima galite reikia noriu prašau pasakykite labai daugiau
    dar visi viskas jei kad kai tik taip pat laikas`,
  lv: `kas ko kam kur no kad kā kāpēc kāds kāda kādi kurš kura cik es tu jūs viņš viņa mēs viņi man mani jums jūsu mans tavs
    savs šis šī tas tā te tur un vai bet nē jā ne uz no ar līdz pie pēc pirms bez par starp ir esmu bija būt būs nav var
    varu drīkst vajag jā vēlos gribu lūdzu pastāstiet ļoti vairāk vēl visi viss ja ka kad tikai arī`,
  mk: `што кој која кое кои каде од кога како зошто колку дали јас ти вие тој таа тоа ние тие ми ме ви ве ни ги го мој моја
    ваш ваша ова овој оваа тој и или но а не да на во со за од до по при после пред без преку се е сум си сте се беше
    биде ќе има нема можам може можете треба сакам ве молам кажете многу повеќе уште сите сè ако дека која`,
  ml: `എന്ത് എന്താണ് ആര് എവിടെ എപ്പോൾ എങ്ങനെ എന്തുകൊണ്ട് എത്ര ഏത് ഞാൻ നിങ്ങൾ നീ അവൻ അവൾ അത് ഇത് നാം ഞങ്ങൾ അവർ
    എന്റെ നിങ്ങളുടെ ഈ ആ അല്ലെങ്കിൽ പക്ഷേ ഇല്ല അതെ ഉണ്ട് ഉണ്ടോ ആണ് ആണോ ചെയ്യാൻ കഴിയും കഴിയുമോ വേണം വേണ്ട
    ദയവായി കുറിച്ച് വരെ മുതൽ കൂടെ ശേഷം മുമ്പ് കൂടുതൽ എല്ലാ ഒരു`,
  mn: `юу хэн хаана хаанаас хаашаа хэзээ яаж яагаад ямар аль хэдэн хэр би чи та тэр энэ бид тэд миний таны түүний манай энд
    тэнд ба болон эсвэл харин гэхдээ үгүй тийм биш байна байгаа байсан байх болох болно уу үү юм тухай хүртэл хамт дараа
    өмнө чадах чадна хэрэгтэй хүсэж гуйя их илүү бүх бүгд хэрэв нь бол`,
  mr: `काय कोण कुठे कधी कसे कशी कसा का किती कोणता कोणती कोणते मी तू तुम्ही तो ती ते आम्ही आपण माझे माझा माझी तुमचे
    तुमचा तुमची हा ही हे त्या या आणि किंवा पण परंतु नाही होय साठी पासून सोबत पर्यंत मध्ये वर नंतर आधी आहे आहेत होता
    होती असेल करणे करा करू शकतो शकते शकता पाहिजे कृपया सांगा खूप अधिक सर्व जर की च`,
  ms: `apa apakah siapa di mana ke mana bila bagaimana mengapa kenapa yang mana berapa saya aku anda awak kamu dia ia kami
    kita mereka ini itu sini situ sana dan atau tetapi tapi tidak bukan ya di ke dari daripada pada dengan untuk oleh
    tentang dalam antara sampai hingga sejak selepas sebelum tanpa adalah ialah ada akan sudah telah belum boleh dapat
    mesti perlu ingin mahu jika kalau kerana sangat lebih semua setiap beberapa juga hanya sahaja tolong sila beritahu
    tahu lama banyak nya kah lagi pukul`,
  my: `ဘာ ဘယ်သူ ဘယ်မှာ ဘယ်တော့ ဘယ်လို ဘာကြောင့် ဘယ်လောက် ဘယ် ကျွန်တော် ကျွန်မ သင် သူ ငါ ဒီ ဒါ အဲဒါ နှင့် နဲ့ သို့မဟုတ်
    ဒါပေမဲ့ မ ဟုတ်ကဲ့ မှာ က ကို သည် တယ် ပါ သလား လား လဲ ရှိ ရှိပါသလား နိုင် ရ လို များ အတွက် အထိ မှ ပြီး`,
  ne: `के को कहाँ कहिले कसरी किन कति कुन म तपाईं तिमी ऊ उनी यो त्यो हामी उनीहरू मेरो तपाईंको यस त्यस र वा तर होइन छैन हो
    छ छन् थियो हुन्छ हुने गर्न गर्ने गर्नु सक्छु सकिन्छ चाहिन्छ चाहन्छु कृपया लागि बाट सँग सम्म मा पछि अघि धेरै सबै यदि
    पनि`,
  nl: `de het een der den des ik jij je u hij zij ze wij we jullie mij me jou hem haar ons hun hen mijn jouw uw zijn onze
    dit dat deze die daar hier er wie wat waar wanneer hoe waarom welke welk hoeveel hoelang waarmee of als dan
    omdat en maar want noch ook nog al alleen zeer heel meer meest veel weinig minder alle alles iets niets iemand
    niemand elke ieder ander andere geen niet ja nee van in op aan met voor naar bij tot uit door over om onder
    tegen zonder tussen tijdens sinds na vanaf te ben bent is was waren wordt worden werd heb hebt heeft hebben
    had kan kun kunt kunnen kon moet moeten mag mogen wil wilt willen zou zal zullen doe doet doen maak maakt
    maken ga gaat gaan kom komt komen neem nemen krijg krijgt krijgen geef geeft geven vind vinden weet weten zeg
    zeggen vertel graag alstublieft bedankt nodig mogelijk lang vaak ver tijd uur laat meenemen meebrengen brengen
    breng kopen koop verkopen verkoopt beginnen begint aanbieden biedt bieden accepteren accepteert gebruiken
    nummer`,
  no: `hva hvem hvor når hvordan hvorfor hvilken hvilket hvilke hvis mange mye lenge ofte jeg du dere De han hun den det
    vi de meg deg dem oss ham henne min mitt mine din ditt dine deres sin sitt vår vårt en et ei og eller men at
    som for til fra av i på med om ved under over etter før uten mellom hos er var være blir ble har hadde kan
    kunne skal skulle vil ville må får få gjør gjøre ta tar går komme kommer der her ikke ingen ja nei noe noen
    alle alt også bare mer mest så enn da denne dette disse vennligst takk fortelle vite gjerne trenger mulig
    finnes man klokka klokken tid kva kven kor korleis kvifor eg ikkje dykk kjøpe selge selger begynne begynner
    starter tilby tilbyr bruke akseptere nummer`,
  pa: `ਕੀ ਕੌਣ ਕਿੱਥੇ ਕਦੋਂ ਕਿਵੇਂ ਕਿਉਂ ਕਿੰਨਾ ਕਿੰਨੇ ਕਿੰਨੀ ਕਿਹੜਾ ਕਿਹੜੀ ਕਿਹੜੇ ਮੈਂ ਤੁਸੀਂ ਤੂੰ ਉਹ ਇਹ ਅਸੀਂ ਮੇਰਾ ਮੇਰੇ ਮੇਰੀ ਤੁਹਾਡਾ
    ਤੁਹਾਡੇ ਤੁਹਾਡੀ ਅਤੇ ਜਾਂ ਪਰ ਨਹੀਂ ਹਾਂ ਦਾ ਦੇ ਦੀ ਨੂੰ ਵਿੱਚ ਤੇ ਤੋਂ ਤੱਕ ਨਾਲ ਲਈ ਬਾਅਦ ਪਹਿਲਾਂ ਹੈ ਹਨ ਸੀ ਹੋਵੇਗਾ ਹੁੰਦਾ ਕਰ ਕਰਨ
    ਕਰੋ ਸਕਦਾ ਸਕਦੇ ਸਕਦੀ ਚਾਹੀਦਾ ਕਿਰਪਾ ਕਰਕੇ ਦੱਸੋ ਬਹੁਤ ਹੋਰ ਸਾਰੇ ਜੇ ਵੀ`,
  pl: `co kto gdzie dokąd skąd kiedy jak dlaczego czemu jaki jaka jakie jakich jakiego który która które których ile ilu
    czy ja ty pan pani państwo on ona ono my wy oni mi mnie mną ci cię tobie go mu jej im ich nam nas wam was mój
    moja moje twój wasz wasza swój to ten ta te tego tej tym tam tu i a lub albo ale że żeby jeśli jeżeli gdy nie
    tak w we na do z ze od po pod nad o u przy przez dla bez za przed między się jest są jestem był była było być
    będzie mam ma macie mają mieć mogę może możecie można da muszę musi trzeba należy chcę chciałbym potrzebuję
    potrzeba proszę dziękuję powiedz bardzo więcej jeszcze już wszystko wszystkie też także tylko jakiś coś ktoś
    każdy robić zrobić godzina godzinie czas długo często kupić kupować sprzedajecie zacząć zaczyna rozpoczyna
    przynieść zabrać wziąć oferujecie akceptujecie przyjmujecie używać korzystać numer`,
  pt: `o a os as um uma uns umas de do da dos das em no na nos nas com por pelo pela pelos pelas para pra sem sobre entre
    até desde e ou mas que quê quem qual quais quando onde aonde como quanto quanta quantos quantas porque porquê
    se sim não eu tu você vocês ele ela nós eles elas me te lhe lhes vos meu minha meus minhas teu tua seu sua
    seus suas nosso nossa vosso vossa este esta estes estas isto esse essa isso aquele aquela aquilo algo alguém
    algum alguma nada ninguém nenhum nenhuma todo toda todos todas tudo outro outra outros cada muito muita muitos
    muitas mais menos pouco também já ainda só apenas aqui ali lá aí assim é são era eram foi ser sou és somos
    está estão estou estar há haver tem têm tenho temos ter tinha posso pode podem podemos poder poderia devo deve
    quero quer querem queria gostaria preciso precisa faz fazem faço fazer vou vai vão ir dar dá dizer diga sabe
    saber favor obrigado obrigada possível hora horas tempo trazer levar comprar vender vende vendem começar
    começa oferecer oferece oferecem aceitar aceita aceitam usar utilizar obter conseguir número`,
  ro: `ce cine unde când cum de care cât câtă câți câte eu tu dumneavoastră el ea noi voi ei ele mă mi îmi te ți îți vă
    vi îl o îi le ne meu mea mei tău dvs său sa acesta această acest acestea asta acel acea aici acolo și sau dar
    iar nu da un unei unui al a ai ale la în din pe cu pentru până după înainte fără între prin spre despre este
    sunt e era erau fi fost va vor am are au aveți avea pot poate puteți se trebuie vreau doresc necesar rog
    spuneți foarte mai mult toate toți tot ceva cineva fiecare dacă că să doar ora timp face faceți cumpăra
    vindeți începe aduce oferiți acceptați folosi număr`,
  ru: `что чего чему чем кто кого кому кем где куда откуда когда как почему зачем какой какая какое какие каких какого
    какую который которая которое которые сколько ли я ты вы он она оно мы они мне меня мной тебе тебя вам вас
    вами нам нас ему его ей ее её им их мой моя моё мое мои мою моей ваш ваша ваше ваши вашей твой свой свою это
    этот эта эти этого этой этом тот та то те там тут здесь туда и а или но да нет не ни если чтобы потому в во на
    с со к ко у о об от до из за по под над при для без через после перед между про около есть был была было были
    быть будет будут бы же уже ещё еще только тоже также очень более больше меньше много мало всё все всех весь
    каждый любой другой другие самый так такой можно нельзя могу может можете мочь нужно нужен нужна нужны надо
    должен должна хочу хотите хотел пожалуйста спасибо скажите подскажите расскажите знать знаете делать сделать
    значит имеет иметь найти получить дать часто долго время времени час купить покупать продаете продаёте
    продается начинается начать начинает принести взять брать предлагаете принимаете использовать пользоваться
    номер`,
  sk: `čo kto kde kam odkiaľ kedy ako prečo aký aká aké ktorý ktorá ktoré koľko ja ty vy on ona ono my oni mi ma mňa vám vás
    nám nás ho mu jej im ich môj moja moje váš vaša vaše svoj ten tá to tento táto toto tam tu a i aj alebo ale že aby keď
    ak nie áno v vo na do z zo s so sa si k ku u o od po pre pri cez pred za bez medzi je sú som ste sme bol bola bolo byť
    bude budú mám má máte majú mať môžem môže môžete možno dá musím musí treba chcem potrebujem prosím povedzte veľmi viac
    ešte už všetky všetko tiež len nejaký niečo hodín čas`,
  sl: `kaj kdo kje kam od kod kdaj kako zakaj kateri katera katero koliko ali jaz ti vi on ona ono mi oni me mene mi vam vas
    nam nas moj moja vaš vaša svoj to ta ti tisti tam tukaj in ali pa ampak da če ko ne ja v na do iz z s k o od po pri za
    pred brez med skozi se je so sem ste smo bil bila bilo biti bo bodo imam ima imate lahko morem moram mora treba želim
    hočem potrebujem prosim povejte zelo več še že vse vsi tudi samo nekaj`,
  sq: `çfarë cili cila cilat cilët kush ku nga kur si pse sa unë ti ju ai ajo ne ata ato më mua ty juve im ime juaj tuaj i tij
    saj ky kjo këto ai këtu atje dhe ose por jo po nuk s në me për nga te tek deri pas para pa mbi nën rreth është janë
    jam jeni ishte ishin do të duhet mund mundem kam ka keni kanë dua dëshiroj lutem tregoni shumë më të gjithë çdo nëse
    që kur vetëm edhe një`,
  sr: `шта што ко где када кад како зашто који која које колико ли је сам си смо сте су био била било бити ја ти ви он она
    оно ми они ме мене вам вас нам мој моја ваш ваша ово овај ова тај та то и или али а не да на у с са за од до по при
    после пре без кроз се има нема имате имам могу може можете морам мора треба желим молим хоћу ће ћу више још веома све
    сви ако тамо овде šta što ko gde kada kako zašto koji koja koje koliko je sam ste su ja vi on ona moj vaš ovo ovaj taj
    ili ali ne da na u sa za od do po pre posle bez se ima imate mogu može možete treba želim molim će više još sve ako`,
  sv: `vad vem var vart när hur varför vilken vilket vilka om många mycket länge ofta jag du ni han hon den det vi de dem
    dom mig dig er oss honom henne min mitt mina din ditt dina deras sin sitt vår vårt en ett och eller men att
    som för till från av i på med vid under över efter före innan utan mellan hos är vara varit blir blev har hade
    kan kunde ska skall skulle vill ville måste får få gör göra ta tar går gå kommer komma där här inte ingen
    inget ja nej något någon några alla allt också bara mer mest så än då denna detta dessa snälla tack berätta
    veta gärna behöver behövs möjligt finns man klockan tid köpa sälja säljer börja börjar erbjuda erbjuder
    använda acceptera nummer`,
  sw: `nini nani wapi lini vipi jinsi kwa nini kwanini gani ngapi mimi wewe ninyi yeye sisi wao yangu yako yenu yake hii hiyo
    hizi hapa huko na au lakini hapana ndiyo si ya wa la za cha vya kwa katika kutoka hadi baada kabla bila kuhusu ni yuko
    kuna ana nina mna naweza inaweza unaweza lazima nataka nahitaji tafadhali sana zaidi yote wote kila kama pia tu`,
  ta: `என்ன யார் எங்கே எப்போது எப்படி ஏன் எவ்வளவு எத்தனை எந்த எது நான் நீங்கள் நீ அவர் அவள் அது இது நாம் நாங்கள்
    அவர்கள் என் எனது உங்கள் இந்த அந்த மற்றும் அல்லது ஆனால் இல்லை ஆம் உள்ளது உள்ளன இருக்கிறது உண்டா ஆகும் செய்ய
    முடியும் முடியுமா வேண்டும் தயவுசெய்து பற்றி வரை இருந்து உடன் பிறகு முன் மேலும் அனைத்து ஒரு`,
  te: `ఏమిటి ఏమి ఎవరు ఎక్కడ ఎప్పుడు ఎలా ఎందుకు ఎంత ఎన్ని ఏ ఏది నేను మీరు నువ్వు అతను ఆమె అది ఇది మేము మనం వారు నా
    మీ ఈ ఆ మరియు లేదా కానీ లేదు అవును ఉంది ఉన్నాయి ఉందా చేయాలి చేయవచ్చు చేయగలను కావాలి దయచేసి గురించి వరకు నుండి
    తో తర్వాత ముందు ఎక్కువ అన్ని ఒక`,
  th: `อะไร ใคร ที่ไหน ไหน เมื่อไหร่ เมื่อไร เมื่อใด อย่างไร ยังไง ทำไม เท่าไหร่ เท่าไร เท่าใด กี่ ใด ผม ฉัน ดิฉัน คุณ เขา เธอ
    เรา มัน พวกเขา นี้ นั้น นี่ นั่น ที่นี่ ที่นั่น และ หรือ แต่ ไม่ ไม่มี ใช่ ได้ ไหม มั้ย หรือไม่ ครับ ค่ะ คะ ที่ ซึ่ง ใน
    บน จาก ถึง ไป มา กับ แก่ ของ โดย สำหรับ เกี่ยวกับ ก่อน หลัง ระหว่าง คือ เป็น มี อยู่ จะ ต้อง ควร ให้ ทำ อยาก ต้องการ
    ขอ ช่วย บอก รู้ มาก กว่า ทุก ทั้งหมด ถ้า ว่า ก็ แล้ว ยัง การ ความ บ้าง`,
  tr: `ne neyi kim kimin nerede nereden nereye zaman nasıl neden niçin niye hangi kaç kadar mı mi mu mü mıdır midir
    mısınız misiniz ben sen siz o biz onlar bana beni size sizi bize ona benim senin sizin onun bizim bu şu burada
    orada ve veya ya da de ile için gibi ama fakat eğer ki var yok evet hayır değil bir olan olarak olur olmak
    oldu olacak edilir ediyor etmek yapmak yapar yapıyor yapabilir edebilir miyim musunuz istiyorum lazım gerek
    gerekiyor gerekli lütfen söyle çok daha en her tüm bütün bazı bile sadece sonra önce beri göre üzerinde
    hakkında ilgili saat alabilir almak satın satıyor satıyorsunuz başlıyor başlar getirmek getirebilir kullanmak
    kabul`,
  uk: `що чого хто кого кому де куди звідки коли як чому навіщо який яка яке які яких скільки чи я ти ви він вона воно ми
    вони мені мене вам вас нам нас йому його їй її їм їх мій моя моє мої ваш ваша ваше ваші свій це цей ця ці
    цього той та те там тут і й а або але так ні не якщо щоб в у на з із зі до від по про для за без при через
    після перед між під над є був була було були бути буде будуть би вже ще тільки також дуже більше менше багато
    все всі кожен інший можна можу може можете потрібно треба повинен хочу бажаю будь ласка скажіть підкажіть
    знати робити зробити значить має мати отримати дати часто довго час купити продаєте починається почати
    принести взяти пропонуєте приймаєте використовувати номер`,
  ur: `کیا کون کہاں کب کیسے کیوں کتنا کتنے کتنی کس کونسا میں آپ تم وہ یہ ہم میرا میرے میری آپ کا اس ان اور یا لیکن نہیں
    ہاں کا کے کی کو پر سے تک نے لیے ساتھ بعد پہلے ہے ہیں ہوں تھا تھے تھی ہوتا ہوتی ہوگا ہو کر کرنا کرنے کریں سکتا سکتے
    سکتی چاہیے چاہتا براہ کرم بتائیں بہت زیادہ سب تمام کچھ بھی ہی تو جو اگر کوئی مجھے ہمیں`,
  uz: `nima kim qayerda qayerdan qayerga qachon qanday qanaqa nega qaysi necha qancha men sen siz u biz ular mening sizning
    uning bizning bu shu bu yerda va yoki lekin ammo yo'q ha emas bor mi edi bo'ladi bo'lish mumkin haqida uchun bilan
    gacha keyin oldin orqali kerak qila olaman olamanmi xohlayman iltimos ko'p juda barcha har agar ham`,
  vi: `gì cái ai đâu ở khi nào bao giờ thế như làm sao tại vì nhiêu mấy lâu tôi bạn anh chị em ông bà nó chúng ta họ mình
    này đó kia đây ấy và hoặc hay nhưng không có được là của trong trên dưới từ đến tới với cho về trước sau giữa
    bằng thì mà nếu rằng những các một mỗi mọi tất cả rất hơn nhất cũng chỉ còn đã đang sẽ phải cần muốn thể xin
    vui lòng hãy biết cách ạ nhé việc mua bán bắt đầu mang cung cấp chấp nhận sử dụng dùng`,
  zh: `什么 甚麼 什麼 谁 誰 哪 哪里 哪裡 哪儿 哪个 哪些 何时 几时 什么时候 怎么 怎麼 怎样 怎么样 如何 为什么 為什麼 多少 多久 多长 多大 几 幾 我 你 您 他 她 它 我们 我們 你们 你們 他们 这 這 那
    这个 這個 那个 这里 那里 这些 那些 的 地 得 了 着 过 吗 嗎 呢 吧 啊 是 不是 是否 有 没有 沒有 不 没 也 都 就 才 还 還 又 再 很 太 更 最 和 与 跟 或 或者 但 但是 而 因为 所以
    如果 要是 在 从 從 到 对 對 向 给 給 为 為 把 被 让 以 于 於 由 按 关于 上 下 里 中 后 前 内 可以 可 能 能够 能否 会 會 要 需要 想 应该 必须 请 請 请问 請問 告诉 知道 谢谢
    一个 一 个 個 些 点 样 时候 时 才能 之 所 等 其 该 做 弄 用 算 买 買 卖 賣 带 帶 拿 开始 開始 提供 接受 使用 收`,
};
