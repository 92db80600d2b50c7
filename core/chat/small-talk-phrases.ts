/** Phrases of small talk, separated by commas. */
export interface SmallTalkPhrases {
  greeting: string;
  thanks: string;
  goodbye: string;
  /** Accompany small talk, but are not small talk on their own. */
  filler?: string;
}

/** By canonical widget locale. Case, accents and punctuation do not matter. */
export const smallTalkPhrases: Readonly<Record<string, SmallTalkPhrases>> = {
  af: {
    greeting: `
      hallo, hello, haai, goeie môre, goeiemôre, goeie dag, goeie middag, goeie naand, hoe gaan dit,
      hoe gaan dit met jou`,
    thanks: `dankie, baie dankie, dankie vir jou hulp`,
    goodbye: `totsiens, tot siens, tot later, mooi dag, goeie nag`,
  },
  ar: {
    greeting: `
      مرحبا, مرحبا بك, اهلا, أهلا وسهلا, هاي, السلام عليكم, السلام عليكم ورحمة الله, صباح الخير,
      مساء الخير, كيف حالك, كيف الحال`,
    thanks: `شكرا, شكرا جزيلا, شكرا لك, شكرا لكم, شكرا على المساعدة, مشكور, تسلم`,
    goodbye: `مع السلامة, وداعا, إلى اللقاء, باي, تصبح على خير`,
  },
  az: {
    greeting: `
      salam, salam aleykum, sabahınız xeyir, gün aydın, günortanız xeyir, axşamınız xeyir, necəsiniz,
      necəsən`,
    thanks: `təşəkkür, təşəkkürlər, təşəkkür edirəm, çox sağ olun, çox sağ ol, sağ ol, sağ olun`,
    goodbye: `hələlik, sağlıqla qalın, görüşənədək, gecəniz xeyrə`,
  },
  be: {
    greeting: `прывітанне, вітаю, добры дзень, добрай раніцы, добры вечар, як справы, як вы`,
    thanks: `дзякуй, вялікі дзякуй, дзякую, шчыры дзякуй`,
    goodbye: `да пабачэння, бывай, бывайце, дабранач, пакуль`,
  },
  bg: {
    greeting: `здравей, здравейте, здрасти, привет, добро утро, добър ден, добър вечер, как си, как сте`,
    thanks: `благодаря, благодаря ви, благодаря ти, много благодаря, мерси, мерси много`,
    goodbye: `довиждане, чао, лека нощ, приятен ден, до скоро`,
  },
  bn: {
    greeting: `হ্যালো, হাই, নমস্কার, আসসালামু আলাইকুম, সুপ্রভাত, শুভ সকাল, শুভ সন্ধ্যা, কেমন আছেন, কেমন আছো`,
    thanks: `ধন্যবাদ, অনেক ধন্যবাদ, আপনাকে ধন্যবাদ, আপনাকে অনেক ধন্যবাদ`,
    goodbye: `বিদায়, আবার দেখা হবে, শুভ রাত্রি, বাই`,
  },
  bs: {
    greeting: `zdravo, halo, ćao, selam, dobro jutro, dobar dan, dobro veče, kako si, kako ste`,
    thanks: `hvala, hvala vam, hvala ti, hvala lijepo, puno hvala, hvala puno, hvala na pomoći`,
    goodbye: `doviđenja, vidimo se, laku noć, prijatno`,
  },
  ca: {
    greeting: `hola, bon dia, bona tarda, bones tardes, bon vespre, què tal, com estàs, com està, ei`,
    thanks: `gràcies, moltes gràcies, mercès, merci, gràcies per l'ajuda`,
    goodbye: `adéu, adéu siau, fins aviat, fins després, a reveure, bona nit`,
  },
  cs: {
    greeting: `
      ahoj, dobrý den, dobré ráno, dobré odpoledne, dobrý večer, zdravím, čau, nazdar, jak se máš,
      jak se máte`,
    thanks: `
      děkuji, děkuju, díky, dík, moc děkuji, mnohokrát děkuji, díky moc, moc díky, děkuji za pomoc,
      děkuji vám`,
    goodbye: `na shledanou, nashledanou, sbohem, měj se, mějte se, dobrou noc, hezký den, pěkný den`,
  },
  cy: {
    greeting: `helo, shwmae, sut mae, bore da, prynhawn da, noswaith dda, sut wyt ti, sut ydych chi`,
    thanks: `diolch, diolch yn fawr, diolch i chi, diolch o galon`,
    goodbye: `hwyl, hwyl fawr, da boch, da bo chi, nos da`,
  },
  da: {
    greeting: `
      hej, hejsa, hallo, halløj, goddag, god morgen, godmorgen, god eftermiddag, god aften, davs,
      hvordan går det`,
    thanks: `tak, mange tak, tusind tak, tak skal du have, tak for hjælpen`,
    goodbye: `farvel, hej hej, vi ses, god dag, godnat, ha en god dag`,
  },
  de: {
    greeting: `
      hallo, hallöchen, hi, hey, moin, moin moin, servus, grüezi, grüß gott, grüß dich, guten tag,
      guten morgen, guten abend, wie geht's, wie geht es dir, wie geht es ihnen, wie gehts`,
    thanks: `
      danke, danke schön, dankeschön, danke sehr, vielen dank, herzlichen dank, tausend dank,
      besten dank, dankeschoen, danke dir, danke ihnen, danke vielmals, danke für die hilfe,
      vielen dank für die hilfe, vielen dank für ihre hilfe, vielen lieben dank, merci`,
    goodbye: `
      tschüss, tschüß, tschau, ciao, auf wiedersehen, auf wiederhören, bis bald, bis später, bis dann,
      gute nacht, schönen tag noch, schönen tag, schönen abend, schönen abend noch, mach's gut`,
    filler: `
      das war's, das wars, das war alles, das ist alles, das hilft mir, das hat geholfen, super, prima,
      perfekt, toll, gut, ok, okay, alles klar, ja, nein, nochmal, zusammen, wer bist du, wer sind sie,
      ich habe eine frage, ich hätte eine frage`,
  },
  el: {
    greeting: `γεια, γεια σας, γεια σου, καλημέρα, καλησπέρα, χαίρετε, τι κάνεις, τι κάνετε`,
    thanks: `ευχαριστώ, ευχαριστώ πολύ, σας ευχαριστώ, σ ευχαριστώ, χίλια ευχαριστώ`,
    goodbye: `αντίο, τα λέμε, καληνύχτα, καλή συνέχεια, καλό απόγευμα`,
  },
  en: {
    greeting: `
      hi, hello, hey, hiya, howdy, yo, hey ya, heya, good morning, good afternoon, good evening,
      good day, how are you, how are you doing, how are you today, how do you do, how is it going,
      how's it going, what's up, whats up, nice to meet you`,
    thanks: `
      thanks, thank you, thx, ty, tysm, cheers, thank you so much, thank you very much, thanks a lot,
      thanks so much, thanks very much, many thanks, thanks a million, thanks a bunch,
      thanks for your help, thanks for the help, thank you for your help, thank you for the help,
      thanks for helping, much appreciated, i appreciate it, appreciate it, i appreciate your help`,
    goodbye: `
      bye, bye bye, goodbye, good bye, see you, see ya, see you later, see you soon, talk to you later,
      take care, have a nice day, have a good day, have a great day, have a good one, good night, cya`,
    filler: `
      there, again, all, everyone, everybody, team, bot, chatbot, guys, folks, friend, mate, sir, madam,
      then, for now, so much, ok, okay, great, perfect, cool, nice, good, awesome, excellent, wonderful,
      amazing, got it, i see, alright, all right, yes, no, oh, ah, well, and, that's all, that is all,
      that's it, that was all, that helps, that helped, that was helpful, that is helpful, very helpful,
      you too, who are you, are you there, are you a bot, i have a question, i've got a question,
      can you help me, could you help me, can you help, i need help, i need some help, please`,
  },
  es: {
    greeting: `
      hola, buenas, buenos días, buen día, buenas tardes, buenas noches, qué tal, qué tal estás,
      cómo estás, cómo está, cómo están, qué hay, hola qué tal, saludos`,
    thanks: `
      gracias, muchas gracias, mil gracias, muchísimas gracias, gracias por la ayuda,
      gracias por tu ayuda, gracias por su ayuda, muy amable, te lo agradezco, se lo agradezco`,
    goodbye: `
      adiós, chao, chau, hasta luego, hasta pronto, hasta mañana, nos vemos, que tengas un buen día,
      que tenga un buen día`,
    filler: `
      a todos, de nuevo, perfecto, genial, vale, ok, okay, muy bien, bien, eso es todo, eso era todo,
      nada más, y, pues, quién eres, tengo una pregunta, puedes ayudarme, me puedes ayudar`,
  },
  et: {
    greeting: `tere, tervist, hei, tere hommikust, tere päevast, tere õhtust, tsau, kuidas läheb, hommikust`,
    thanks: `aitäh, tänan, suur aitäh, suur tänu, tänud, aitäh abi eest`,
    goodbye: `nägemist, head aega, head päeva, head ööd, kohtumiseni`,
  },
  eu: {
    greeting: `kaixo, epa, egun on, arratsalde on, gabon, zer moduz`,
    thanks: `eskerrik asko, mila esker, esker mila, eskerrik asko laguntzagatik`,
    goodbye: `agur, gero arte, laster arte, ikusi arte`,
  },
  fa: {
    greeting: `
      سلام, سلام علیکم, درود, صبح بخیر, عصر بخیر, شب بخیر, وقت بخیر, روز بخیر, حالت چطوره,
      حال شما چطور است, خوبی, خوبید, چطوری`,
    thanks: `
      ممنون, ممنونم, مرسی, متشکرم, سپاس, سپاسگزارم, خیلی ممنون, خیلی ممنونم, با تشکر, تشکر,
      دستت درد نکنه, ممنون از کمکتون`,
    goodbye: `خداحافظ, خدا حافظ, خدانگهدار, بدرود, فعلا`,
  },
  fi: {
    greeting: `
      hei, moi, moikka, terve, morjens, päivää, hyvää päivää, hyvää huomenta, huomenta, hyvää iltaa,
      iltaa, mitä kuuluu`,
    thanks: `
      kiitos, kiitti, kiitos paljon, paljon kiitoksia, kiitoksia, suuri kiitos, kiitos avusta,
      suurkiitos`,
    goodbye: `näkemiin, hei hei, heippa, moi moi, hyvää yötä, hyvää päivänjatkoa`,
  },
  fil: {
    greeting: `
      kumusta, kamusta, kumusta ka, kumusta po, magandang umaga, magandang araw, magandang hapon,
      magandang gabi, magandang araw po`,
    thanks: `salamat, salamat po, maraming salamat, maraming salamat po`,
    goodbye: `paalam, paalam na, babay, ingat, hanggang sa muli`,
  },
  fr: {
    greeting: `
      bonjour, salut, coucou, bonsoir, allô, bonjour à tous, comment ça va, ça va, comment allez vous,
      comment vas tu, rebonjour`,
    thanks: `
      merci, merci beaucoup, mille mercis, merci bien, merci infiniment, un grand merci,
      merci pour votre aide, merci pour ton aide, merci pour l'aide, merci à vous, merci d'avance,
      je vous remercie`,
    goodbye: `
      au revoir, à bientôt, à plus tard, à plus, à demain, bonne journée, bonne soirée, bonne nuit,
      adieu, ciao`,
    filler: `
      madame, monsieur, tout le monde, super, parfait, très bien, bien, d'accord, ok, okay, c'est tout,
      c'est parfait, et, oui, non, qui êtes vous, qui es tu, j'ai une question, pouvez vous m'aider`,
  },
  ga: {
    greeting: `
      dia duit, dia dhuit, dia daoibh, haigh, maidin mhaith, tráthnóna maith, conas atá tú,
      cad é mar atá tú`,
    thanks: `go raibh maith agat, go raibh maith agaibh, go raibh míle maith agat, grma`,
    goodbye: `slán, slán leat, slán abhaile, oíche mhaith`,
  },
  gl: {
    greeting: `ola, bos días, bo día, boas tardes, boas noites, boas, que tal, como estás, como está`,
    thanks: `grazas, moitas grazas, graciñas, moitísimas grazas`,
    goodbye: `adeus, ata logo, ata pronto, abur, deica logo`,
  },
  gu: {
    greeting: `નમસ્તે, નમસ્કાર, હેલો, હાય, સુપ્રભાત, કેમ છો, કેમ છે`,
    thanks: `આભાર, ખૂબ આભાર, ખૂબ ખૂબ આભાર, તમારો આભાર, ધન્યવાદ`,
    goodbye: `આવજો, ફરી મળીશું, શુભ રાત્રી, બાય`,
  },
  he: {
    greeting: `שלום, היי, הי, אהלן, בוקר טוב, צהריים טובים, ערב טוב, מה שלומך, מה נשמע, מה קורה`,
    thanks: `תודה, תודה רבה, המון תודה, תודה לך, תודה על העזרה, רוב תודות`,
    goodbye: `להתראות, ביי, שלום ולהתראות, לילה טוב, יום טוב`,
  },
  hi: {
    greeting: `
      नमस्ते, नमस्कार, हैलो, हेलो, हाय, सुप्रभात, शुभ प्रभात, शुभ संध्या, कैसे हो, कैसे हैं, आप कैसे हैं,
      क्या हाल है, namaste, namaskar`,
    thanks: `धन्यवाद, शुक्रिया, बहुत धन्यवाद, बहुत बहुत धन्यवाद, आपका धन्यवाद, बहुत शुक्रिया, dhanyavad, shukriya`,
    goodbye: `अलविदा, फिर मिलेंगे, शुभ रात्रि, बाय`,
  },
  hr: {
    greeting: `bok, pozdrav, zdravo, halo, dobro jutro, dobar dan, dobra večer, dobro večer, kako si, kako ste`,
    thanks: `hvala, hvala vam, hvala ti, hvala lijepa, hvala lijepo, puno hvala, hvala puno, hvala na pomoći`,
    goodbye: `doviđenja, vidimo se, laku noć, ugodan dan, lijep pozdrav`,
  },
  hu: {
    greeting: `
      szia, sziasztok, szervusz, helló, üdv, üdvözlöm, jó reggelt, jó napot, jó napot kívánok, jó estét,
      hogy vagy, hogy van`,
    thanks: `
      köszönöm, köszi, kösz, köszönöm szépen, nagyon köszönöm, köszönöm a segítséget, köszönjük,
      hálás köszönet`,
    goodbye: `viszlát, viszontlátásra, jó éjszakát, szép napot, további szép napot, hali`,
  },
  hy: {
    greeting: `բարև, բարև ձեզ, ողջույն, բարի լույս, բարի օր, բարի երեկո, ինչպես եք, ոնց ես`,
    thanks: `շնորհակալություն, շնորհակալ եմ, շատ շնորհակալ եմ, մերսի, շատ շնորհակալություն`,
    goodbye: `ցտեսություն, հաջողություն, բարի գիշեր`,
  },
  id: {
    greeting: `
      halo, hai, hei, selamat pagi, selamat siang, selamat sore, selamat malam, apa kabar,
      assalamualaikum, permisi`,
    thanks: `
      terima kasih, terimakasih, makasih, terima kasih banyak, makasih banyak, trims,
      terima kasih atas bantuannya`,
    goodbye: `sampai jumpa, selamat tinggal, dadah, sampai nanti, sampai jumpa lagi`,
    filler: `min, kak, semua, ya, pak, bu, oke, baik`,
  },
  is: {
    greeting: `halló, hæ, sæl, sæll, góðan dag, góðan daginn, gott kvöld, hvað segirðu`,
    thanks: `takk, takk fyrir, takk kærlega, kærar þakkir, þakka þér fyrir, þúsund þakkir`,
    goodbye: `bless, bless bless, sjáumst, góða nótt`,
  },
  it: {
    greeting: `
      ciao, salve, buongiorno, buon giorno, buonasera, buona sera, buon pomeriggio, come stai, come sta,
      come va, ehi`,
    thanks: `
      grazie, grazie mille, molte grazie, tante grazie, ti ringrazio, la ringrazio, grazie dell'aiuto,
      grazie per l'aiuto, grazie infinite, grazie a te`,
    goodbye: `
      arrivederci, a presto, a dopo, ci vediamo, buonanotte, buona notte, buona giornata, buona serata,
      addio`,
    filler: `
      a tutti, perfetto, ottimo, bene, va bene, ok, okay, è tutto, chi sei, ho una domanda,
      mi puoi aiutare`,
  },
  ja: {
    greeting: `
      こんにちは, こんにちわ, こんばんは, こんばんわ, おはよう, おはようございます, やあ, もしもし,
      はじめまして, 初めまして, お元気ですか, 元気ですか, ハロー, お世話になります,
      お世話になっております`,
    thanks: `
      ありがとう, ありがとうございます, ありがとうございました, どうもありがとう,
      どうもありがとうございます, どうもありがとうございました, 有難うございます, 有り難うございます,
      有難うございました, どうも, 感謝します, サンキュー, 助かりました, 助かります, お世話になりました`,
    goodbye: `
      さようなら, さよなら, じゃあね, またね, では また, おやすみ, おやすみなさい, バイバイ, 失礼します,
      失礼いたします`,
    filler: `
      はい, わかりました, 分かりました, なるほど, 了解です, 了解しました, 本当に, とても, 大変,
      よろしくお願いします, 宜しくお願いします, あなたは誰ですか`,
  },
  ka: {
    greeting: `გამარჯობა, სალამი, გაგიმარჯოს, დილა მშვიდობისა, საღამო მშვიდობისა, როგორ ხარ, როგორ ხართ`,
    thanks: `მადლობა, დიდი მადლობა, გმადლობთ, გმადლობ, მადლობთ`,
    goodbye: `ნახვამდის, კარგად, ღამე მშვიდობისა`,
  },
  kk: {
    greeting: `
      сәлем, сәлеметсіз бе, қайырлы таң, қайырлы күн, қайырлы кеш, ассалаумағалейкум, қалайсыз,
      қалың қалай`,
    thanks: `рахмет, рақмет, көп рахмет, көп рақмет, сізге рахмет`,
    goodbye: `сау болыңыз, сау бол, көріскенше, қайырлы түн`,
  },
  km: {
    greeting: `សួស្តី, សួស្ដី, ជំរាបសួរ, ជម្រាបសួរ, អរុណសួស្តី, សុខសប្បាយទេ`,
    thanks: `អរគុណ, អរគុណច្រើន, សូមអរគុណ`,
    goodbye: `លាហើយ, ជម្រាបលា, ជំរាបលា, លាសិនហើយ`,
  },
  kn: {
    greeting: `ನಮಸ್ಕಾರ, ನಮಸ್ತೆ, ಹಲೋ, ಹಾಯ್, ಶುಭೋದಯ, ಹೇಗಿದ್ದೀರಿ, ಹೇಗಿದ್ದೀಯ`,
    thanks: `ಧನ್ಯವಾದ, ಧನ್ಯವಾದಗಳು, ತುಂಬಾ ಧನ್ಯವಾದಗಳು`,
    goodbye: `ವಿದಾಯ, ಹೋಗಿ ಬನ್ನಿ, ಮತ್ತೆ ಸಿಗೋಣ, ಶುಭ ರಾತ್ರಿ`,
  },
  ko: {
    greeting: `
      안녕, 안녕하세요, 안녕하십니까, 여보세요, 반갑습니다, 반가워요, 하이, 헬로, 좋은 아침,
      좋은 아침입니다, 잘 지내세요, 어떻게 지내세요`,
    thanks: `
      감사합니다, 감사해요, 고맙습니다, 고마워요, 고마워, 정말 감사합니다, 대단히 감사합니다,
      정말 고마워요, 땡큐`,
    goodbye: `안녕히 가세요, 안녕히 계세요, 잘 가요, 잘 있어요, 다음에 봐요, 안녕히 주무세요, 바이`,
    filler: `네, 예, 아, 알겠습니다, 그래요, 정말, 도와주셔서`,
  },
  lt: {
    greeting: `labas, sveiki, sveikas, sveika, laba diena, labas rytas, labas vakaras, kaip sekasi, kaip laikotės`,
    thanks: `ačiū, dėkoju, dėkui, labai ačiū, ačiū labai, ačiū už pagalbą, labai dėkoju`,
    goodbye: `viso gero, iki pasimatymo, labanakt, geros dienos, ate`,
  },
  lv: {
    greeting: `sveiki, čau, labdien, labrīt, labvakar, sveiks, kā iet, kā klājas`,
    thanks: `paldies, liels paldies, paldies par palīdzību, pateicos`,
    goodbye: `uz redzēšanos, atā, visu labu, ar labu nakti, jauku dienu`,
  },
  mk: {
    greeting: `здраво, добро утро, добар ден, добра вечер, како си, како сте, ало`,
    thanks: `благодарам, фала, ви благодарам, многу благодарам, фала многу, фала ви`,
    goodbye: `довидување, пријатно, чао, добра ноќ, пријатен ден`,
  },
  ml: {
    greeting: `നമസ്കാരം, നമസ്തേ, ഹലോ, ഹായ്, സുപ്രഭാതം, സുഖമാണോ`,
    thanks: `നന്ദി, വളരെ നന്ദി, ഒരുപാട് നന്ദി`,
    goodbye: `വിട, വീണ്ടും കാണാം, ശുഭരാത്രി`,
  },
  mn: {
    greeting: `
      сайн байна уу, сайн уу, сайн байцгаана уу, байна уу, өглөөний мэнд, өдрийн мэнд, оройн мэнд,
      юу байна`,
    thanks: `баярлалаа, гялайлаа, их баярлалаа, маш их баярлалаа`,
    goodbye: `баяртай, дараа уулзъя, сайхан амраарай`,
  },
  mr: {
    greeting: `नमस्कार, नमस्ते, हॅलो, हाय, सुप्रभात, शुभ सकाळ, शुभ संध्याकाळ, कसे आहात, कसा आहेस`,
    thanks: `धन्यवाद, आभारी आहे, खूप धन्यवाद, खूप खूप धन्यवाद, आभार`,
    goodbye: `निरोप, पुन्हा भेटू, शुभ रात्री, बाय`,
  },
  ms: {
    greeting: `
      helo, hai, selamat pagi, selamat tengah hari, selamat petang, selamat malam, apa khabar,
      assalamualaikum`,
    thanks: `terima kasih, terima kasih banyak, ribuan terima kasih`,
    goodbye: `selamat tinggal, jumpa lagi, selamat jalan`,
  },
  my: {
    greeting: `မင်္ဂလာပါ, ဟယ်လို, ဟိုင်း, နေကောင်းလား`,
    thanks: `ကျေးဇူးတင်ပါတယ်, ကျေးဇူး, ကျေးဇူးပါ, ကျေးဇူးအများကြီးတင်ပါတယ်`,
    goodbye: `တာ့တာ, နှုတ်ဆက်ပါတယ်, ဘိုင်`,
  },
  ne: {
    greeting: `नमस्ते, नमस्कार, हेलो, शुभ प्रभात, शुभ दिन, शुभ सन्ध्या, कस्तो छ, तपाईंलाई कस्तो छ`,
    thanks: `धन्यवाद, धेरै धन्यवाद, तपाईंलाई धन्यवाद`,
    goodbye: `बिदा, फेरि भेटौंला, शुभ रात्री`,
  },
  nl: {
    greeting: `
      hallo, hoi, hey, hé, goedemorgen, goedendag, goedemiddag, goedenavond, goede morgen, goede middag,
      goede avond, dag, hoe gaat het, hoe is het, alles goed`,
    thanks: `
      bedankt, dank je, dank u, dank je wel, dankjewel, dank u wel, dankuwel, hartelijk dank,
      heel erg bedankt, hartelijk bedankt, bedankt voor de hulp, bedankt voor je hulp,
      bedankt voor uw hulp, dankje`,
    goodbye: `
      tot ziens, doei, doeg, tot straks, tot later, fijne dag, nog een fijne dag, welterusten,
      goede nacht, tot de volgende keer`,
    filler: `oké, ok, prima, top, super, dat was het, dat is alles, ik heb een vraag, wie ben je`,
  },
  no: {
    greeting: `hei, heisann, hallo, halla, god morgen, god dag, god kveld, god ettermiddag, hvordan går det, heia`,
    thanks: `takk, tusen takk, mange takk, takk skal du ha, takk for hjelpen`,
    goodbye: `ha det, ha det bra, hade, snakkes, vi ses, god natt, ha en fin dag`,
  },
  pa: {
    greeting: `ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ, ਨਮਸਤੇ, ਹੈਲੋ, ਹਾਏ, ਸ਼ੁਭ ਸਵੇਰ, ਕੀ ਹਾਲ ਹੈ, ਤੁਸੀਂ ਕਿਵੇਂ ਹੋ`,
    thanks: `ਧੰਨਵਾਦ, ਸ਼ੁਕਰੀਆ, ਬਹੁਤ ਧੰਨਵਾਦ, ਤੁਹਾਡਾ ਧੰਨਵਾਦ, ਬਹੁਤ ਬਹੁਤ ਧੰਨਵਾਦ`,
    goodbye: `ਅਲਵਿਦਾ, ਫਿਰ ਮਿਲਾਂਗੇ, ਸ਼ੁਭ ਰਾਤ`,
  },
  pl: {
    greeting: `
      cześć, hej, witam, dzień dobry, dobry wieczór, siema, hejka, witaj, jak się masz, co słychać,
      dobry`,
    thanks: `
      dziękuję, dzięki, dziękuję bardzo, bardzo dziękuję, wielkie dzięki, dzięki wielkie,
      dziękuję za pomoc, dzięki za pomoc, dziękujemy, dziękuję serdecznie, serdecznie dziękuję, dziękuje`,
    goodbye: `do widzenia, na razie, pa, papa, do zobaczenia, dobranoc, miłego dnia, do usłyszenia, narazie`,
    filler: `ok, okej, super, świetnie, dobrze, to wszystko, mam pytanie, kim jesteś`,
  },
  pt: {
    greeting: `
      olá, oi, bom dia, boa tarde, boa noite, oie, opa, tudo bem, tudo bom, como vai, como está,
      como vai você, e aí`,
    thanks: `
      obrigado, obrigada, muito obrigado, muito obrigada, valeu, obrigado pela ajuda,
      obrigada pela ajuda, brigado, brigada, agradeço, obrigadão`,
    goodbye: `tchau, adeus, até logo, até mais, até breve, até amanhã, tenha um bom dia`,
    filler: `
      a todos, pessoal, ok, perfeito, ótimo, certo, está bem, é só isso, era só isso,
      tenho uma pergunta, quem é você`,
  },
  ro: {
    greeting: `
      bună, bună ziua, bună dimineața, bună seara, salut, salutare, servus, ce mai faci, ce mai faceți,
      neața`,
    thanks: `
      mulțumesc, mulțumim, mersi, mulțumesc mult, mulțumesc frumos, mersi mult, multe mulțumiri,
      vă mulțumesc`,
    goodbye: `la revedere, pa, pe curând, noapte bună, o zi bună, o zi frumoasă`,
  },
  ru: {
    greeting: `
      привет, приветик, здравствуйте, здравствуй, добрый день, доброе утро, добрый вечер,
      доброго времени суток, доброго дня, хай, алло, приветствую, как дела, как поживаете`,
    thanks: `
      спасибо, спасибо большое, большое спасибо, огромное спасибо, спс, благодарю, благодарю вас,
      спасибо за помощь, спасибо вам, спасибо огромное, большое вам спасибо`,
    goodbye: `
      до свидания, пока, пока пока, всего доброго, всего хорошего, до встречи, спокойной ночи,
      хорошего дня, прощайте`,
    filler: `
      вам, всем, хорошо, отлично, ясно, понятно, понял, поняла, ок, окей, супер, это всё, ладно, да,
      кто ты, кто вы, у меня вопрос, есть вопрос`,
  },
  sk: {
    greeting: `ahoj, dobrý deň, dobré ráno, dobrý večer, čau, zdravím, nazdar, ako sa máš, ako sa máte`,
    thanks: `
      ďakujem, ďakujeme, vďaka, ďakujem pekne, veľmi pekne ďakujem, veľká vďaka, ďakujem za pomoc,
      dakujem, ďakujem veľmi pekne`,
    goodbye: `dovidenia, do videnia, maj sa, majte sa, dobrú noc, pekný deň`,
  },
  sl: {
    greeting: `
      živjo, zdravo, pozdravljeni, pozdravljen, dober dan, dobro jutro, dober večer, hej, kako si,
      kako ste`,
    thanks: `hvala, hvala lepa, najlepša hvala, hvala vam, hvala ti, hvala za pomoč, lepa hvala`,
    goodbye: `nasvidenje, adijo, se vidimo, lahko noč, lep dan, lep pozdrav`,
  },
  sq: {
    greeting: `përshëndetje, tungjatjeta, mirëdita, mirëmëngjes, mirëmbrëma, ç'kemi, si jeni, si je, hej`,
    thanks: `faleminderit, faleminderit shumë, shumë faleminderit, ju falenderoj`,
    goodbye: `mirupafshim, natën e mirë, tung, ditën e mirë`,
  },
  sr: {
    greeting: `
      здраво, ћао, добро јутро, добар дан, добро вече, како си, како сте, поздрав, zdravo, ćao,
      dobro jutro, dobar dan, dobro veče, kako si, kako ste`,
    thanks: `
      хвала, хвала вам, хвала ти, хвала лепо, много хвала, хвала пуно, хвала на помоћи, hvala,
      hvala vam, hvala ti, hvala lepo, mnogo hvala, hvala puno`,
    goodbye: `довиђења, видимо се, лаку ноћ, пријатно, doviđenja, vidimo se, laku noć`,
  },
  sv: {
    greeting: `
      hej, hejsan, hallå, tjena, tja, god morgon, god dag, god kväll, goddag, hur mår du, hur är läget,
      läget`,
    thanks: `tack, tackar, tack så mycket, tusen tack, stort tack, tack så jättemycket, tack för hjälpen`,
    goodbye: `hej då, hejdå, vi ses, adjö, god natt, ha det bra, ha en bra dag, ha en fin dag`,
  },
  sw: {
    greeting: `
      habari, hujambo, jambo, mambo, salamu, habari ya asubuhi, habari za asubuhi, habari yako,
      shikamoo, habari gani, habari za leo`,
    thanks: `asante, asante sana, ahsante, ahsante sana, nashukuru, shukrani`,
    goodbye: `kwaheri, tutaonana, usiku mwema, baadaye`,
  },
  ta: {
    greeting: `வணக்கம், ஹலோ, ஹாய், காலை வணக்கம், மாலை வணக்கம், எப்படி இருக்கிறீர்கள், எப்படி இருக்கீங்க`,
    thanks: `நன்றி, மிக்க நன்றி, மிகவும் நன்றி, ரொம்ப நன்றி`,
    goodbye: `பிரியாவிடை, போய் வருகிறேன், மீண்டும் சந்திப்போம், இனிய இரவு`,
  },
  te: {
    greeting: `నమస్కారం, నమస్తే, హలో, హాయ్, శుభోదయం, ఎలా ఉన్నారు, ఎలా ఉన్నావు`,
    thanks: `ధన్యవాదాలు, ధన్యవాదములు, చాలా ధన్యవాదాలు, కృతజ్ఞతలు`,
    goodbye: `సెలవు, మళ్ళీ కలుద్దాం, శుభరాత్రి, బై`,
  },
  th: {
    greeting: `
      สวัสดี, สวัสดีครับ, สวัสดีค่ะ, สวัสดีคะ, หวัดดี, หวัดดีครับ, หวัดดีค่ะ, ฮัลโหล, อรุณสวัสดิ์,
      เป็นอย่างไรบ้าง, สบายดีไหม`,
    thanks: `ขอบคุณ, ขอบคุณครับ, ขอบคุณค่ะ, ขอบคุณมาก, ขอบคุณมากครับ, ขอบคุณมากค่ะ, ขอบใจ, ขอบพระคุณ`,
    goodbye: `ลาก่อน, บ๊ายบาย, แล้วเจอกัน, ราตรีสวัสดิ์`,
    filler: `ครับ, ค่ะ, คะ, นะ, มาก, โอเค`,
  },
  tr: {
    greeting: `
      merhaba, merhabalar, selam, selamlar, selamün aleyküm, günaydın, iyi günler, iyi akşamlar,
      tünaydın, nasılsın, nasılsınız, naber`,
    thanks: `
      teşekkürler, teşekkür ederim, çok teşekkürler, çok teşekkür ederim, sağ ol, sağ olun, sağol,
      sağolun, çok sağ olun, teşekkür, yardımınız için teşekkürler`,
    goodbye: `hoşça kal, hoşçakal, hoşça kalın, güle güle, görüşürüz, iyi geceler, bay bay, kendine iyi bak`,
    filler: `tamam, peki, süper, harika, evet, bir sorum var, sen kimsin`,
  },
  uk: {
    greeting: `
      привіт, вітаю, доброго дня, добрий день, добрий ранок, доброго ранку, добрий вечір,
      доброго вечора, здрастуйте, як справи, як ся маєте`,
    thanks: `
      дякую, дякуємо, дуже дякую, щиро дякую, велике дякую, красно дякую, дякую за допомогу, спасибі,
      дякую вам, щиро вдячний`,
    goodbye: `до побачення, бувай, бувайте, на все добре, добраніч, до зустрічі, гарного дня`,
    filler: `добре, чудово, зрозуміло, ок, супер, це все, маю питання, хто ти`,
  },
  ur: {
    greeting: `السلام علیکم, سلام, ہیلو, ہائے, آداب, صبح بخیر, شام بخیر, کیا حال ہے, آپ کیسے ہیں, کیسے ہیں`,
    thanks: `شکریہ, بہت شکریہ, آپ کا شکریہ, بہت بہت شکریہ, آپ کا بہت شکریہ, جزاک اللہ, مہربانی`,
    goodbye: `خدا حافظ, اللہ حافظ, پھر ملیں گے, شب بخیر`,
  },
  uz: {
    greeting: `
      salom, assalomu alaykum, xayrli tong, xayrli kun, xayrli kech, qalaysiz, yaxshimisiz,
      ahvollar qanday`,
    thanks: `rahmat, katta rahmat, tashakkur, sizga rahmat, kattakon rahmat`,
    goodbye: `xayr, ko'rishguncha, xayrli tun, sog' bo'ling`,
  },
  vi: {
    greeting: `
      xin chào, chào, chào bạn, chào anh, chào chị, chào em, chào ad, chào shop, alo, chào buổi sáng,
      chào buổi chiều, chào buổi tối, bạn khỏe không`,
    thanks: `
      cảm ơn, cám ơn, cảm ơn bạn, cảm ơn nhiều, cảm ơn bạn nhiều, cảm ơn rất nhiều, xin cảm ơn,
      cám ơn nhiều, cám ơn bạn, cảm ơn anh, cảm ơn chị, cảm ơn shop`,
    goodbye: `tạm biệt, hẹn gặp lại, chào tạm biệt, bái bai, chúc ngủ ngon`,
    filler: `ạ, nhé, nha, vâng, dạ`,
  },
  'zh-cn': {
    greeting: `
      你好, 您好, 你好吗, 您好吗, 嗨, 哈喽, 哈罗, 嘿, 早, 早上好, 早安, 上午好, 中午好, 下午好, 晚上好,
      在吗, 在么, 大家好, 喂, 有人吗, 有人在吗`,
    thanks: `
      谢谢, 谢谢你, 谢谢您, 多谢, 非常感谢, 感谢, 感谢你, 感谢您, 谢了, 谢谢啦, 十分感谢, 太感谢了,
      谢谢你的帮助, 谢谢您的帮助, 辛苦了`,
    goodbye: `再见, 拜拜, 拜, 回头见, 下次见, 明天见, 晚安, 回见`,
    filler: `啊, 呀, 哦, 嗯, 好的, 好, 吧, 了, 呢, 请问, 太好了, 明白了, 知道了, 你是谁`,
  },
  'zh-tw': {
    greeting: `
      你好, 您好, 你好嗎, 您好嗎, 嗨, 哈囉, 哈嘍, 嘿, 早, 早上好, 早安, 上午好, 午安, 中午好, 下午好,
      晚上好, 在嗎, 大家好, 喂, 有人嗎, 有人在嗎`,
    thanks: `
      謝謝, 謝謝你, 謝謝您, 多謝, 非常感謝, 感謝, 感謝你, 感謝您, 謝了, 謝謝啦, 十分感謝, 太感謝了,
      感恩, 謝謝你的幫助, 辛苦了`,
    goodbye: `再見, 掰掰, 拜拜, 回頭見, 下次見, 明天見, 晚安`,
    filler: `啊, 呀, 哦, 喔, 嗯, 好的, 好, 吧, 了, 呢, 請問, 太好了, 明白了, 知道了, 你是誰`,
  },
};
