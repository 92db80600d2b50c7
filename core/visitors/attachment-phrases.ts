/** By language: the answer to a message that has only pictures or files. Written by a language model. */
const phrases: Readonly<Record<string, string>> = {
  ar: 'لا يمكنني فتح الصور أو الملفات. يُرجى كتابة سؤالك.',
  cs: 'Obrázky ani soubory neumím otevřít. Napište prosím svůj dotaz.',
  da: 'Jeg kan ikke åbne billeder eller filer. Skriv venligst dit spørgsmål.',
  de: 'Ich kann keine Bilder und Dateien öffnen. Bitte schreiben Sie Ihre Frage.',
  el: 'Δεν μπορώ να ανοίξω εικόνες ή αρχεία. Γράψτε την ερώτησή σας.',
  en: 'I cannot open pictures or files. Please write your question.',
  es: 'No puedo abrir imágenes ni archivos. Escriba su pregunta, por favor.',
  fi: 'En voi avata kuvia tai tiedostoja. Kirjoita kysymyksesi.',
  fr: 'Je ne peux pas ouvrir les images ni les fichiers. Veuillez écrire votre question.',
  he: 'איני יכול לפתוח תמונות או קבצים. אנא כתבו את שאלתכם.',
  hi: 'मैं चित्र या फ़ाइलें नहीं खोल सकता। कृपया अपना प्रश्न लिखें।',
  hu: 'Képeket és fájlokat nem tudok megnyitni. Kérem, írja le a kérdését.',
  id: 'Saya tidak dapat membuka gambar atau berkas. Silakan tulis pertanyaan Anda.',
  it: 'Non posso aprire immagini o file. Scriva la sua domanda, per favore.',
  ja: '画像やファイルを開くことができません。ご質問を文字でお送りください。',
  ko: '사진이나 파일을 열 수 없습니다. 질문을 글로 적어 주세요.',
  nb: 'Jeg kan ikke åpne bilder eller filer. Skriv spørsmålet ditt.',
  nl: 'Ik kan geen afbeeldingen of bestanden openen. Schrijf alstublieft uw vraag.',
  pl: 'Nie mogę otwierać zdjęć ani plików. Proszę napisać pytanie.',
  pt: 'Não consigo abrir imagens nem ficheiros. Escreva a sua pergunta, por favor.',
  ro: 'Nu pot deschide imagini sau fișiere. Vă rugăm să scrieți întrebarea.',
  ru: 'Я не могу открывать изображения и файлы. Пожалуйста, напишите свой вопрос.',
  sv: 'Jag kan inte öppna bilder eller filer. Skriv din fråga.',
  th: 'ฉันเปิดรูปภาพหรือไฟล์ไม่ได้ กรุณาพิมพ์คำถามของคุณ',
  tr: 'Resim veya dosya açamıyorum. Lütfen sorunuzu yazın.',
  uk: 'Я не можу відкривати зображення та файли. Напишіть, будь ласка, своє запитання.',
  vi: 'Tôi không thể mở hình ảnh hoặc tệp. Vui lòng viết câu hỏi của bạn.',
  zh: '我无法打开图片或文件。请输入您的问题。',
};

/** Returns the sentence for a widget locale, in English if its language has no translation. */
export const attachmentSentence = (locale: string | null): string =>
  phrases[(locale ?? 'en').split('-')[0] ?? 'en'] ?? (phrases.en as string);
