interface Phrases {
  nothingFound: string;
  /** The last sentence of every answer. */
  noModel: string;
}

/** By canonical widget locale: the reply without sources, and the explanation of quotations. */
const phrases = {
  af: [
    'Ek kon niks hieroor in my bronne vind nie.',
    'Geen taalmodel is opgestel nie. Antwoorde is aanhalings uit die bronne.',
  ],
  ar: ['لم أجد شيئًا عن ذلك في مصادري.', 'لم يتم إعداد نموذج لغوي. الإجابات اقتباسات من المصادر.'],
  az: [
    'Mənbələrimdə bu barədə heç nə tapmadım.',
    'Heç bir dil modeli qurulmayıb. Cavablar mənbələrdən sitatlardır.',
  ],
  be: [
    'У маіх крыніцах нічога пра гэта не знойдзена.',
    'Моўная мадэль не наладжана. Адказы — цытаты з крыніц.',
  ],
  bg: [
    'В моите източници не е намерено нищо за това.',
    'Не е настроен езиков модел. Отговорите са цитати от източниците.',
  ],
  bn: ['আমার উৎসগুলিতে এ বিষয়ে কিছু পাওয়া যায়নি।', 'কোনো ভাষা মডেল কনফিগার করা নেই। উত্তরগুলি উৎস থেকে উদ্ধৃতি।'],
  bs: [
    'U mojim izvorima nema ništa o tome.',
    'Nijedan jezički model nije podešen. Odgovori su citati iz izvora.',
  ],
  ca: [
    'No he trobat res sobre això a les meves fonts.',
    'No hi ha cap model de llenguatge configurat. Les respostes són cites de les fonts.',
  ],
  cs: [
    'V mých zdrojích se o tom nic nenašlo.',
    'Není nastaven žádný jazykový model. Odpovědi jsou citace ze zdrojů.',
  ],
  cy: [
    'Ni ddaethpwyd o hyd i ddim am hyn yn fy ffynonellau.',
    'Nid oes model iaith wedi’i osod. Dyfyniadau o’r ffynonellau yw’r atebion.',
  ],
  da: [
    'Jeg fandt intet om dette i mine kilder.',
    'Der er ikke konfigureret nogen sprogmodel. Svarene er citater fra kilderne.',
  ],
  de: [
    'Dazu habe ich in meinen Quellen nichts gefunden.',
    'Es ist kein Sprachmodell eingerichtet. Die Antworten sind Zitate aus den Quellen.',
  ],
  el: [
    'Δεν βρήκα τίποτα σχετικό στις πηγές μου.',
    'Δεν έχει ρυθμιστεί γλωσσικό μοντέλο. Οι απαντήσεις είναι αποσπάσματα από τις πηγές.',
  ],
  en: [
    'I found nothing about this in my sources.',
    'No language model is configured. Answers are quotations from the sources.',
  ],
  es: [
    'No he encontrado nada sobre esto en mis fuentes.',
    'No hay ningún modelo de lenguaje configurado. Las respuestas son citas de las fuentes.',
  ],
  et: [
    'Ma ei leidnud oma allikatest selle kohta midagi.',
    'Keelemudelit pole seadistatud. Vastused on tsitaadid allikatest.',
  ],
  eu: [
    'Ez dut honi buruz ezer aurkitu nire iturrietan.',
    'Ez dago hizkuntza-eredurik konfiguratuta. Erantzunak iturrietako aipuak dira.',
  ],
  fa: [
    'در منابعم چیزی در این باره پیدا نکردم.',
    'هیچ مدل زبانی پیکربندی نشده است. پاسخ‌ها نقل‌قول‌هایی از منابع هستند.',
  ],
  fi: [
    'En löytänyt lähteistäni tästä mitään.',
    'Kielimallia ei ole määritetty. Vastaukset ovat lainauksia lähteistä.',
  ],
  fil: [
    'Wala akong nahanap tungkol dito sa aking mga sanggunian.',
    'Walang naka-configure na language model. Ang mga sagot ay mga sipi mula sa mga sanggunian.',
  ],
  fr: [
    'Je n’ai rien trouvé à ce sujet dans mes sources.',
    'Aucun modèle de langage n’est configuré. Les réponses sont des citations des sources.',
  ],
  ga: [
    'Níor aimsigh mé aon rud faoi seo i mo chuid foinsí.',
    'Níl aon mhúnla teanga cumraithe. Is sleachta as na foinsí iad na freagraí.',
  ],
  gl: [
    'Non atopei nada sobre isto nas miñas fontes.',
    'Non hai ningún modelo de linguaxe configurado. As respostas son citas das fontes.',
  ],
  gu: ['મારા સ્રોતોમાં આ વિશે કંઈ મળ્યું નથી.', 'કોઈ ભાષા મોડેલ ગોઠવેલું નથી. જવાબો સ્રોતોમાંથી અવતરણો છે.'],
  he: ['לא מצאתי דבר על כך במקורות שלי.', 'לא הוגדר מודל שפה. התשובות הן ציטוטים מהמקורות.'],
  hi: ['मेरे स्रोतों में इसके बारे में कुछ नहीं मिला।', 'कोई भाषा मॉडल कॉन्फ़िगर नहीं है। उत्तर स्रोतों से उद्धरण हैं।'],
  hr: [
    'U mojim izvorima nema ničega o tome.',
    'Nijedan jezični model nije postavljen. Odgovori su citati iz izvora.',
  ],
  hu: [
    'Erről semmit sem találtam a forrásaimban.',
    'Nincs nyelvi modell beállítva. A válaszok idézetek a forrásokból.',
  ],
  hy: [
    'Իմ աղբյուրներում այս մասին ոչինչ չգտա։',
    'Լեզվական մոդել կարգավորված չէ։ Պատասխանները մեջբերումներ են աղբյուրներից։',
  ],
  id: [
    'Saya tidak menemukan apa pun tentang ini di sumber saya.',
    'Tidak ada model bahasa yang dikonfigurasi. Jawaban adalah kutipan dari sumber.',
  ],
  is: [
    'Ég fann ekkert um þetta í heimildum mínum.',
    'Ekkert mállíkan er stillt. Svörin eru tilvitnanir í heimildirnar.',
  ],
  it: [
    'Non ho trovato nulla al riguardo nelle mie fonti.',
    'Nessun modello linguistico è configurato. Le risposte sono citazioni dalle fonti.',
  ],
  ja: [
    'これについては、情報源に何も見つかりませんでした。',
    '言語モデルが設定されていません。回答は情報源からの引用です。',
  ],
  ka: [
    'ჩემს წყაროებში ამის შესახებ ვერაფერი ვიპოვე.',
    'ენობრივი მოდელი არ არის დაყენებული. პასუხები ციტატებია წყაროებიდან.',
  ],
  kk: [
    'Дереккөздерімнен бұл туралы ештеңе табылмады.',
    'Тілдік модель бапталмаған. Жауаптар — дереккөздерден алынған дәйексөздер.',
  ],
  km: ['ខ្ញុំរកមិនឃើញអ្វីអំពីរឿងនេះក្នុងប្រភពរបស់ខ្ញុំទេ។', 'មិនមានម៉ូដែលភាសាណាមួយត្រូវបានកំណត់ទេ។ ចម្លើយគឺជាសម្រង់ពីប្រភព។'],
  kn: ['ನನ್ನ ಮೂಲಗಳಲ್ಲಿ ಇದರ ಬಗ್ಗೆ ಏನೂ ಸಿಗಲಿಲ್ಲ.', 'ಯಾವುದೇ ಭಾಷಾ ಮಾದರಿಯನ್ನು ಹೊಂದಿಸಿಲ್ಲ. ಉತ್ತರಗಳು ಮೂಲಗಳಿಂದ ಉಲ್ಲೇಖಗಳಾಗಿವೆ.'],
  ko: [
    '제 자료에서 이에 관한 내용을 찾지 못했습니다.',
    '설정된 언어 모델이 없습니다. 답변은 자료에서 인용한 것입니다.',
  ],
  lt: [
    'Savo šaltiniuose apie tai nieko neradau.',
    'Kalbos modelis nenustatytas. Atsakymai yra citatos iš šaltinių.',
  ],
  lv: ['Savos avotos par to neko neatradu.', 'Valodas modelis nav iestatīts. Atbildes ir citāti no avotiem.'],
  mk: [
    'Во моите извори нема ништо за ова.',
    'Не е поставен јазичен модел. Одговорите се цитати од изворите.',
  ],
  ml: [
    'എന്റെ ഉറവിടങ്ങളിൽ ഇതിനെക്കുറിച്ച് ഒന്നും കണ്ടെത്തിയില്ല.',
    'ഒരു ഭാഷാ മോഡലും സജ്ജീകരിച്ചിട്ടില്ല. ഉത്തരങ്ങൾ ഉറവിടങ്ങളിൽ നിന്നുള്ള ഉദ്ധരണികളാണ്.',
  ],
  mn: [
    'Миний эх сурвалжуудаас энэ талаар юу ч олдсонгүй.',
    'Хэлний загвар тохируулаагүй байна. Хариултууд нь эх сурвалжаас авсан ишлэл юм.',
  ],
  mr: [
    'माझ्या स्रोतांमध्ये याबद्दल काहीही सापडले नाही.',
    'कोणतेही भाषा मॉडेल कॉन्फिगर केलेले नाही. उत्तरे ही स्रोतांमधील उद्धरणे आहेत.',
  ],
  ms: [
    'Saya tidak menemui apa-apa tentang ini dalam sumber saya.',
    'Tiada model bahasa dikonfigurasikan. Jawapan ialah petikan daripada sumber.',
  ],
  my: [
    'ကျွန်ုပ်၏ ရင်းမြစ်များတွင် ဤအကြောင်း ဘာမျှ မတွေ့ပါ။',
    'ဘာသာစကား မော်ဒယ် မသတ်မှတ်ရသေးပါ။ အဖြေများသည် ရင်းမြစ်များမှ ကောက်နုတ်ချက်များ ဖြစ်ပါသည်။',
  ],
  ne: ['मेरा स्रोतहरूमा यसबारे केही भेटिएन।', 'कुनै भाषा मोडेल कन्फिगर गरिएको छैन। उत्तरहरू स्रोतहरूबाट उद्धरण हुन्।'],
  nl: [
    'Ik heb hierover niets gevonden in mijn bronnen.',
    'Er is geen taalmodel ingesteld. Antwoorden zijn citaten uit de bronnen.',
  ],
  no: [
    'Jeg fant ingenting om dette i kildene mine.',
    'Ingen språkmodell er konfigurert. Svarene er sitater fra kildene.',
  ],
  pa: ['ਮੇਰੇ ਸਰੋਤਾਂ ਵਿੱਚ ਇਸ ਬਾਰੇ ਕੁਝ ਨਹੀਂ ਮਿਲਿਆ।', 'ਕੋਈ ਭਾਸ਼ਾ ਮਾਡਲ ਸੰਰਚਿਤ ਨਹੀਂ ਹੈ। ਜਵਾਬ ਸਰੋਤਾਂ ਵਿੱਚੋਂ ਹਵਾਲੇ ਹਨ।'],
  pl: [
    'W moich źródłach nic o tym nie ma.',
    'Nie skonfigurowano modelu językowego. Odpowiedzi są cytatami ze źródeł.',
  ],
  pt: [
    'Não encontrei nada sobre isso nas minhas fontes.',
    'Nenhum modelo de linguagem está configurado. As respostas são citações das fontes.',
  ],
  ro: [
    'Nu am găsit nimic despre asta în sursele mele.',
    'Nu este configurat niciun model de limbaj. Răspunsurile sunt citate din surse.',
  ],
  ru: [
    'В моих источниках об этом ничего не найдено.',
    'Языковая модель не настроена. Ответы — цитаты из источников.',
  ],
  sk: [
    'V mojich zdrojoch sa o tom nič nenašlo.',
    'Nie je nastavený žiadny jazykový model. Odpovede sú citácie zo zdrojov.',
  ],
  sl: [
    'V mojih virih o tem ni ničesar.',
    'Noben jezikovni model ni nastavljen. Odgovori so navedki iz virov.',
  ],
  sq: [
    'Nuk gjeta asgjë për këtë në burimet e mia.',
    'Nuk është konfiguruar asnjë model gjuhësor. Përgjigjet janë citime nga burimet.',
  ],
  sr: [
    'У мојим изворима нема ничега о томе.',
    'Ниједан језички модел није подешен. Одговори су цитати из извора.',
  ],
  sv: [
    'Jag hittade inget om detta i mina källor.',
    'Ingen språkmodell är konfigurerad. Svaren är citat ur källorna.',
  ],
  sw: [
    'Sikupata chochote kuhusu hili katika vyanzo vyangu.',
    'Hakuna modeli ya lugha iliyosanidiwa. Majibu ni nukuu kutoka kwenye vyanzo.',
  ],
  ta: [
    'என் ஆதாரங்களில் இதைப் பற்றி எதுவும் கிடைக்கவில்லை.',
    'மொழி மாதிரி எதுவும் அமைக்கப்படவில்லை. பதில்கள் ஆதாரங்களிலிருந்து மேற்கோள்கள்.',
  ],
  te: ['నా మూలాల్లో దీని గురించి ఏమీ దొరకలేదు.', 'భాషా నమూనా ఏదీ అమర్చలేదు. జవాబులు మూలాల నుండి ఉల్లేఖనలు.'],
  th: ['ไม่พบข้อมูลเกี่ยวกับเรื่องนี้ในแหล่งข้อมูลของฉัน', 'ไม่ได้ตั้งค่าโมเดลภาษาไว้ คำตอบคือข้อความที่ยกมาจากแหล่งข้อมูล'],
  tr: [
    'Kaynaklarımda bununla ilgili bir şey bulamadım.',
    'Yapılandırılmış bir dil modeli yok. Yanıtlar kaynaklardan alıntılardır.',
  ],
  uk: [
    'У моїх джерелах про це нічого не знайдено.',
    'Мовну модель не налаштовано. Відповіді — цитати з джерел.',
  ],
  ur: [
    'میرے ذرائع میں اس بارے میں کچھ نہیں ملا۔',
    'کوئی لسانی ماڈل ترتیب نہیں دیا گیا۔ جوابات ذرائع سے اقتباسات ہیں۔',
  ],
  uz: [
    'Manbalarimda bu haqda hech narsa topilmadi.',
    'Til modeli sozlanmagan. Javoblar manbalardan iqtiboslardir.',
  ],
  vi: [
    'Tôi không tìm thấy gì về điều này trong các nguồn của mình.',
    'Chưa cấu hình mô hình ngôn ngữ nào. Câu trả lời là trích dẫn từ các nguồn.',
  ],
  'zh-cn': ['在我的资料中没有找到相关内容。', '尚未配置语言模型。回答均引自资料来源。'],
  'zh-tw': ['在我的資料中找不到相關內容。', '尚未設定語言模型。回答均引自資料來源。'],
} as const satisfies Record<string, readonly [nothingFound: string, noModel: string]>;

const isKnown = (locale: string): locale is keyof typeof phrases => Object.hasOwn(phrases, locale);

/** Falls back to English. */
export function phrasesOf(locale: string): Phrases {
  const [nothingFound, noModel] = phrases[isKnown(locale) ? locale : 'en'];
  return { nothingFound, noModel };
}
