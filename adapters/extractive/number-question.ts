import { foldText } from '../../core/retrieval/analysis/fold-text.js';

/**
 * Phrases that ask for a number, a price, a time or a date, in the languages of the widget. Without words that are common
 * in another language and mean something else, such as Swahili "bei" and, without its accent, Vietnamese "mấy".
 */
const spaced = [
  // af, nl
  'hoeveel, hoe lank, hoe laat, wanneer, hoe lang, hoe vaak, hoe oud, hoe groot, hoe duur, prijs, prys, kosten, openingstijden',
  // ar, fa, ur, he
  'كم, متى, بكم, سعر, السعر, ثمن, چند, چقدر, کی, چه وقت, قیمت, کتنا, کتنے, کتنی, کب, כמה, מתי, מחיר, באיזו שעה',
  // az, tr, kk, uz
  'neçə, nə qədər, nə vaxt, qiymət, qiyməti, kaç, ne kadar, ne zaman, fiyat, fiyatı, saat kaçta, қанша, қашан, баға, бағасы, неше, qancha, qachon, narxi, narx, necha',
  // be, bg, mk, ru, sr, uk, mn
  'колькі, калі, цана, колко, кога, цена, колку, сколько, когда, во сколько, стоимость, коли, скільки, ціна, коштує, колико, када, хэдэн, хэзээ, хэд, үнэ, стоит, работает до',
  // bs, hr, sl, cs, sk, pl, sr
  'koliko, kada, kad, cijena, cena, kdaj, kolik, kdy, kolikrát, kolik stojí, koľko, kedy, cena, ile kosztuje, ile kosztują, ile trwa, ile jest, ile osób, ile dni, ile godzin, ile czasu, za ile, kiedy, jak długo, jak dużo, o której, stoji, godziny',
  // ca, es, gl, pt, it, ro, fr
  'quant, quants, quanta, quantes, quan, preu, cuánto, cuánta, cuántos, cuántas, cuándo, precio, a qué hora, qué día, horario, horarios, canto, cando, prezo, quanto, quantos, quantas, quando, o preço, preços, que horas, horário, quanti, quante, prezzo, a che ora, orari, orario, cât, câte, câți, când, preț, prețul, combien, quand, prix, tarif, tarifs, à quelle heure, horaires, quel jour',
  // cy, ga, eu
  'faint, pryd, pris, sawl, cé mhéad, cathain, cá fhad, praghas, zenbat, noiz, prezioa',
  // da, no, sv, is
  'hvor mange, hvor meget, hvor lang, hvor længe, hvornår, pris, prisen, hvor mye, hvor lenge, når, hur många, hur mycket, hur länge, när, priset, hversu, hvenær, verð, kostar, koster',
  // de
  'wie viel, wie viele, wieviel, wieviele, wann, wie lange, wie lang, wie hoch, wie groß, wie alt, wie oft, wie teuer, was kostet, was kosten, preis, preise, kosten, um wie viel uhr, ab wann, bis wann, öffnungszeiten, uhrzeit, telefonnummer',
  // el
  'πόσο, πόσα, πόσες, πόσοι, πότε, τιμή, τι ώρα, κοστίζει',
  // en
  'how many, how much, how long, how old, how tall, how big, how large, how high, how heavy, how far, how fast, how often, how soon, when, what time, which day, what day, what date, price, prices, cost, costs, fee, opening times, opening hours, hours, times, dates, phone number, number of, percentage, limit',
  // et, fi, hu
  'kui palju, mitu, millal, hind, kui kaua, kuinka paljon, kuinka monta, kuinka kauan, milloin, hinta, mihin aikaan, montako, paljonko, hány, mennyi, mikor, mennyibe, meddig, ára, nyitvatartás',
  // fil, id, ms, sw, vi
  'ilan, magkano, kailan, gaano, berapa, kapan, harga, bila, ngapi, lini, kiasi gani, saa ngapi, bao nhiêu, mấy giờ, mấy ngày, khi nào, bao lâu, lúc nào',
  // hy, ka
  'քանի, որքան, երբ, գին, գինը, ինչ արժե, რამდენი, როდის, ფასი, რა ღირს',
  // lt, lv, sq
  'kiek, kada, kaina, cik, kad, cena, çmimi, sa kushton',
  // bn, gu, hi, mr, ne, pa
  'কত, কখন, কবে, কয়টি, দাম, কতক্ষণ, કેટલા, કેટલું, કેટલી, ક્યારે, ભાવ, कितना, कितने, कितनी, कब, कीमत, किती, कधी, किंमत, कति, कहिले, मूल्य, ਕਿੰਨਾ, ਕਿੰਨੇ, ਕਿੰਨੀ, ਕਦੋਂ, ਕੀਮਤ',
  // kn, ml, ta, te
  'ಎಷ್ಟು, ಯಾವಾಗ, ಬೆಲೆ, എത്ര, എപ്പോൾ, വില, எவ்வளவு, எத்தனை, எப்போது, விலை, ఎంత, ఎన్ని, ఎప్పుడు, ధర',
].join();
const unspaced =
  '几, 多少, 多久, 多长, 多大, 多高, 多远, 什么时候, 何时, 价格, 多少钱, 时间, 幾, 多長, 多遠, 什麼時候, 何時, 價格, 時間, いくら, いくつ, いつ, 何時, 何日, 何年, 何人, 何分, 何回, 何個, どのくらい, どれくらい, 値段, 料金, 価格, 時間, เท่าไร, เท่าไหร่, กี่, เมื่อไร, เมื่อไหร่, ราคา, นานแค่ไหน, ប៉ុន្មាន, ពេលណា, តម្លៃ, ဘယ်လောက်, ဘယ်တော့, ဈေး, 얼마, 몇, 언제, 가격, 시간';

let pattern: RegExp | undefined;

/** Whether a question asks for a number, a price, a time or a date. */
export function asksForNumber(question: string): boolean {
  pattern ??= createPattern();
  return pattern.test(foldText(question));
}

/** Created on first use, because most processes answer no questions. */
function createPattern(): RegExp {
  const alternatives = (phrases: string): string =>
    foldText(phrases)
      .split(/\s*,\s*/)
      .join('|');
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${alternatives(spaced)})(?![\\p{L}\\p{M}\\p{N}])|${alternatives(unspaced)}`,
    'u',
  );
}
