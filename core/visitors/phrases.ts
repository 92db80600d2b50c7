/**
 * By canonical widget locale: the answer to a visitor beyond the rate limit of an agent without a sentence of its own, and
 * the answer when the workspace's day is used up. Written by a language model.
 */
const phrases: Readonly<Record<string, readonly [limit: string, unavailable: string]>> = {
  af: [
    'Jy het baie boodskappe gestuur. Wag asseblief ’n oomblik.',
    'Die klets is tans nie beskikbaar nie. Probeer later weer.',
  ],
  ar: ['لقد أرسلت رسائل كثيرة. يُرجى الانتظار قليلاً.', 'الدردشة غير متاحة حاليًا. يُرجى المحاولة لاحقًا.'],
  az: [
    'Çox mesaj göndərdiniz. Zəhmət olmasa, bir az gözləyin.',
    'Söhbət hazırda əlçatan deyil. Daha sonra yenidən cəhd edin.',
  ],
  be: [
    'Вы адправілі шмат паведамленняў. Пачакайце, калі ласка.',
    'Чат цяпер недаступны. Паспрабуйце пазней.',
  ],
  bg: [
    'Изпратихте много съобщения. Моля, изчакайте малко.',
    'Чатът в момента не е достъпен. Опитайте отново по-късно.',
  ],
  bn: ['আপনি অনেক বার্তা পাঠিয়েছেন। অনুগ্রহ করে একটু অপেক্ষা করুন।', 'চ্যাট এখন উপলব্ধ নয়। পরে আবার চেষ্টা করুন।'],
  bs: [
    'Poslali ste mnogo poruka. Molimo sačekajte trenutak.',
    'Chat trenutno nije dostupan. Pokušajte ponovo kasnije.',
  ],
  ca: [
    'Heu enviat molts missatges. Espereu un moment.',
    'El xat no està disponible ara mateix. Torneu-ho a provar més tard.',
  ],
  cs: [
    'Odeslali jste mnoho zpráv. Počkejte prosím chvíli.',
    'Chat teď není k dispozici. Zkuste to prosím později.',
  ],
  cy: [
    'Rydych wedi anfon llawer o negeseuon. Arhoswch funud.',
    'Nid yw’r sgwrs ar gael ar hyn o bryd. Rhowch gynnig arall arni yn nes ymlaen.',
  ],
  da: [
    'Du har sendt mange beskeder. Vent venligst et øjeblik.',
    'Chatten er ikke tilgængelig lige nu. Prøv igen senere.',
  ],
  de: [
    'Sie haben viele Nachrichten gesendet. Bitte warten Sie einen Moment.',
    'Der Chat ist zurzeit nicht verfügbar. Bitte versuchen Sie es später noch einmal.',
  ],
  el: [
    'Στείλατε πολλά μηνύματα. Περιμένετε λίγο.',
    'Η συνομιλία δεν είναι διαθέσιμη αυτή τη στιγμή. Δοκιμάστε ξανά αργότερα.',
  ],
  en: [
    'You have sent many messages. Please wait a moment.',
    'The chat is not available at the moment. Please try again later.',
  ],
  es: [
    'Ha enviado muchos mensajes. Espere un momento.',
    'El chat no está disponible en este momento. Inténtelo más tarde.',
  ],
  et: [
    'Olete saatnud palju sõnumeid. Palun oodake hetk.',
    'Vestlus pole praegu saadaval. Proovige hiljem uuesti.',
  ],
  eu: [
    'Mezu asko bidali dituzu. Itxaron une batez, mesedez.',
    'Txata ez dago erabilgarri une honetan. Saiatu berriro geroago.',
  ],
  fa: [
    'پیام‌های زیادی فرستاده‌اید. لطفاً کمی صبر کنید.',
    'گفتگو در حال حاضر در دسترس نیست. لطفاً بعداً دوباره تلاش کنید.',
  ],
  fi: [
    'Olet lähettänyt monta viestiä. Odota hetki.',
    'Chat ei ole juuri nyt käytettävissä. Yritä myöhemmin uudelleen.',
  ],
  fil: [
    'Marami ka nang naipadalang mensahe. Maghintay sandali.',
    'Hindi available ang chat sa ngayon. Subukan ulit mamaya.',
  ],
  fr: [
    'Vous avez envoyé beaucoup de messages. Veuillez patienter un instant.',
    'Le chat n’est pas disponible pour le moment. Veuillez réessayer plus tard.',
  ],
  ga: [
    'Tá go leor teachtaireachtaí seolta agat. Fan nóiméad, le do thoil.',
    'Níl an comhrá ar fáil faoi láthair. Bain triail eile as ar ball.',
  ],
  gl: [
    'Enviou moitas mensaxes. Agarde un momento.',
    'O chat non está dispoñible neste momento. Ténteo máis tarde.',
  ],
  gu: ['તમે ઘણા સંદેશા મોકલ્યા છે. કૃપા કરીને થોડી રાહ જુઓ.', 'ચેટ હાલમાં ઉપલબ્ધ નથી. કૃપા કરીને પછીથી ફરી પ્રયાસ કરો.'],
  he: ['שלחת הודעות רבות. נא להמתין רגע.', 'הצ׳אט אינו זמין כרגע. נא לנסות שוב מאוחר יותר.'],
  hi: ['आपने बहुत सारे संदेश भेजे हैं। कृपया थोड़ा इंतज़ार करें।', 'चैट अभी उपलब्ध नहीं है। कृपया बाद में फिर कोशिश करें।'],
  hr: [
    'Poslali ste mnogo poruka. Pričekajte trenutak.',
    'Chat trenutačno nije dostupan. Pokušajte ponovno kasnije.',
  ],
  hu: [
    'Sok üzenetet küldött. Kérjük, várjon egy kicsit.',
    'A csevegés jelenleg nem érhető el. Kérjük, próbálja meg később.',
  ],
  hy: [
    'Դուք շատ հաղորդագրություններ եք ուղարկել։ Խնդրում ենք մի փոքր սպասել։',
    'Զրույցն այժմ հասանելի չէ։ Փորձեք ավելի ուշ։',
  ],
  id: [
    'Anda telah mengirim banyak pesan. Harap tunggu sebentar.',
    'Obrolan sedang tidak tersedia. Silakan coba lagi nanti.',
  ],
  is: [
    'Þú hefur sent mörg skilaboð. Bíddu augnablik.',
    'Spjallið er ekki í boði eins og er. Reyndu aftur síðar.',
  ],
  it: [
    'Ha inviato molti messaggi. Attenda un momento.',
    'La chat non è disponibile al momento. Riprovi più tardi.',
  ],
  ja: [
    'メッセージの送信が多すぎます。しばらくお待ちください。',
    '現在チャットをご利用いただけません。後でもう一度お試しください。',
  ],
  ka: [
    'თქვენ ბევრი შეტყობინება გამოგზავნეთ. გთხოვთ, ცოტა მოიცადოთ.',
    'ჩატი ამჟამად მიუწვდომელია. სცადეთ მოგვიანებით.',
  ],
  kk: ['Сіз көп хабар жібердіңіз. Біраз күте тұрыңыз.', 'Чат қазір қолжетімсіз. Кейінірек қайталап көріңіз.'],
  km: ['អ្នកបានផ្ញើសារច្រើន។ សូមរង់ចាំបន្តិច។', 'ការជជែកមិនអាចប្រើបាននៅពេលនេះទេ។ សូមព្យាយាមម្តងទៀតនៅពេលក្រោយ។'],
  kn: ['ನೀವು ಹಲವು ಸಂದೇಶಗಳನ್ನು ಕಳುಹಿಸಿದ್ದೀರಿ. ದಯವಿಟ್ಟು ಸ್ವಲ್ಪ ಕಾಯಿರಿ.', 'ಚಾಟ್ ಈಗ ಲಭ್ಯವಿಲ್ಲ. ದಯವಿಟ್ಟು ನಂತರ ಮತ್ತೆ ಪ್ರಯತ್ನಿಸಿ.'],
  ko: [
    '메시지를 많이 보내셨습니다. 잠시 기다려 주세요.',
    '지금은 채팅을 이용할 수 없습니다. 나중에 다시 시도해 주세요.',
  ],
  lt: ['Išsiuntėte daug žinučių. Palaukite akimirką.', 'Pokalbis šiuo metu nepasiekiamas. Bandykite vėliau.'],
  lv: [
    'Jūs esat nosūtījis daudz ziņojumu. Lūdzu, uzgaidiet.',
    'Tērzēšana pašlaik nav pieejama. Lūdzu, mēģiniet vēlāk.',
  ],
  mk: [
    'Испративте многу пораки. Почекајте малку.',
    'Разговорот моментално не е достапен. Обидете се повторно подоцна.',
  ],
  ml: ['നിങ്ങൾ ധാരാളം സന്ദേശങ്ങൾ അയച്ചു. ദയവായി അല്പം കാത്തിരിക്കുക.', 'ചാറ്റ് ഇപ്പോൾ ലഭ്യമല്ല. ദയവായി പിന്നീട് വീണ്ടും ശ്രമിക്കുക.'],
  mn: [
    'Та олон мессеж илгээсэн байна. Түр хүлээнэ үү.',
    'Чат одоогоор боломжгүй байна. Дараа дахин оролдоно уу.',
  ],
  mr: ['तुम्ही बरेच संदेश पाठवले आहेत. कृपया थोडे थांबा.', 'चॅट सध्या उपलब्ध नाही. कृपया नंतर पुन्हा प्रयत्न करा.'],
  ms: [
    'Anda telah menghantar banyak mesej. Sila tunggu sebentar.',
    'Sembang tidak tersedia buat masa ini. Sila cuba lagi kemudian.',
  ],
  my: ['မက်ဆေ့ချ် အများအပြား ပို့ထားပါသည်။ ခဏစောင့်ပါ။', 'ချတ်ကို ယခု အသုံးမပြုနိုင်ပါ။ နောက်မှ ထပ်ကြိုးစားပါ။'],
  ne: ['तपाईंले धेरै सन्देश पठाउनुभयो। कृपया केही बेर पर्खनुहोस्।', 'च्याट अहिले उपलब्ध छैन। कृपया पछि फेरि प्रयास गर्नुहोस्।'],
  nl: [
    'U hebt veel berichten verstuurd. Wacht even.',
    'De chat is momenteel niet beschikbaar. Probeer het later opnieuw.',
  ],
  no: [
    'Du har sendt mange meldinger. Vent litt.',
    'Chatten er ikke tilgjengelig akkurat nå. Prøv igjen senere.',
  ],
  pa: [
    'ਤੁਸੀਂ ਬਹੁਤ ਸਾਰੇ ਸੁਨੇਹੇ ਭੇਜੇ ਹਨ। ਕਿਰਪਾ ਕਰਕੇ ਥੋੜ੍ਹਾ ਇੰਤਜ਼ਾਰ ਕਰੋ।',
    'ਚੈਟ ਇਸ ਵੇਲੇ ਉਪਲਬਧ ਨਹੀਂ ਹੈ। ਕਿਰਪਾ ਕਰਕੇ ਬਾਅਦ ਵਿੱਚ ਦੁਬਾਰਾ ਕੋਸ਼ਿਸ਼ ਕਰੋ।',
  ],
  pl: [
    'Wysłano wiele wiadomości. Proszę chwilę poczekać.',
    'Czat jest obecnie niedostępny. Proszę spróbować później.',
  ],
  pt: [
    'Enviou muitas mensagens. Aguarde um momento.',
    'O chat não está disponível no momento. Tente novamente mais tarde.',
  ],
  ro: [
    'Ați trimis multe mesaje. Vă rugăm să așteptați puțin.',
    'Chatul nu este disponibil momentan. Încercați din nou mai târziu.',
  ],
  ru: ['Вы отправили много сообщений. Подождите немного.', 'Чат сейчас недоступен. Попробуйте позже.'],
  sk: ['Odoslali ste veľa správ. Počkajte chvíľu.', 'Chat momentálne nie je k dispozícii. Skúste to neskôr.'],
  sl: [
    'Poslali ste veliko sporočil. Počakajte trenutek.',
    'Klepet trenutno ni na voljo. Poskusite znova pozneje.',
  ],
  sq: [
    'Keni dërguar shumë mesazhe. Ju lutemi prisni pak.',
    'Biseda nuk është e disponueshme për momentin. Provoni përsëri më vonë.',
  ],
  sr: [
    'Послали сте много порука. Сачекајте тренутак.',
    'Ћаскање тренутно није доступно. Покушајте поново касније.',
  ],
  sv: [
    'Du har skickat många meddelanden. Vänta en stund.',
    'Chatten är inte tillgänglig just nu. Försök igen senare.',
  ],
  sw: [
    'Umetuma ujumbe mwingi. Tafadhali subiri kidogo.',
    'Gumzo halipatikani kwa sasa. Tafadhali jaribu tena baadaye.',
  ],
  ta: [
    'நீங்கள் பல செய்திகளை அனுப்பியுள்ளீர்கள். சற்று காத்திருக்கவும்.',
    'அரட்டை தற்போது கிடைக்கவில்லை. பிறகு மீண்டும் முயற்சிக்கவும்.',
  ],
  te: ['మీరు చాలా సందేశాలు పంపారు. దయచేసి కొంచెం వేచి ఉండండి.', 'చాట్ ప్రస్తుతం అందుబాటులో లేదు. దయచేసి తర్వాత మళ్లీ ప్రయత్నించండి.'],
  th: ['คุณส่งข้อความจำนวนมาก โปรดรอสักครู่', 'แชทไม่พร้อมใช้งานในขณะนี้ โปรดลองอีกครั้งในภายหลัง'],
  tr: [
    'Çok sayıda mesaj gönderdiniz. Lütfen biraz bekleyin.',
    'Sohbet şu anda kullanılamıyor. Lütfen daha sonra tekrar deneyin.',
  ],
  uk: ['Ви надіслали багато повідомлень. Зачекайте трохи.', 'Чат зараз недоступний. Спробуйте пізніше.'],
  ur: [
    'آپ نے بہت سے پیغامات بھیجے ہیں۔ براہِ کرم تھوڑا انتظار کریں۔',
    'چیٹ اس وقت دستیاب نہیں ہے۔ براہِ کرم بعد میں دوبارہ کوشش کریں۔',
  ],
  uz: [
    'Siz ko‘p xabar yubordingiz. Iltimos, biroz kuting.',
    'Suhbat hozir mavjud emas. Keyinroq qayta urinib ko‘ring.',
  ],
  vi: [
    'Bạn đã gửi nhiều tin nhắn. Vui lòng đợi một lát.',
    'Trò chuyện hiện không khả dụng. Vui lòng thử lại sau.',
  ],
  'zh-cn': ['您发送了很多消息，请稍候。', '聊天暂时不可用，请稍后再试。'],
  'zh-tw': ['您傳送了很多訊息，請稍候。', '聊天功能目前無法使用，請稍後再試。'],
};

const ENGLISH = 'en';

const phrasesOf = (language: string | null): readonly [string, string] =>
  (phrases[language ?? ENGLISH] ?? phrases[ENGLISH]) as readonly [string, string];

/** Returns the sentences in a canonical widget locale; null is English. */
export const limitSentence = (language: string | null): string => phrasesOf(language)[0];
export const unavailableSentence = (language: string | null): string => phrasesOf(language)[1];
