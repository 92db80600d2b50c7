import { foldText } from '../../core/retrieval/analysis/fold-text.js';
import { asksForTime } from '../../core/retrieval/words/time-questions.js';

/**
 * Phrases that ask for a number or a price, in the languages of the widget. Swahili "bei" and Vietnamese "mấy", whose
 * accent is removed, are left out, because other languages often use these words for something else.
 */
const spaced = [
  // af, nl
  'hoeveel, hoe lank, hoe lang, hoe vaak, hoe oud, hoe groot, hoe duur, prijs, prys, kosten, openingstijden',
  // ar, fa, ur, he
  'كم, بكم, سعر, السعر, ثمن, چند, چقدر, قیمت, کتنا, کتنے, کتنی, כמה, מחיר',
  // az, tr, kk, uz
  'neçə, nə qədər, qiymət, qiyməti, kaç, ne kadar, fiyat, fiyatı, қанша, баға, бағасы, неше, qancha, narxi, narx, necha',
  // be, bg, mk, ru, sr, uk, mn
  'колькі, цана, колко, цена, колку, сколько, стоимость, скільки, ціна, коштує, колико, хэдэн, хэд, үнэ, стоит, работает до',
  // bs, hr, sl, cs, sk, pl, sr
  'koliko, cijena, cena, kolik, kolikrát, koľko, ile kosztuje, ile kosztują, ile trwa, ile jest, ile osób, ile dni, ile godzin, ile czasu, za ile, jak długo, jak dużo, stoji, godziny',
  // ca, es, gl, pt, it, ro, fr
  'quant, quants, quanta, quantes, preu, cuánto, cuánta, cuántos, cuántas, precio, horario, horarios, canto, prezo, quanto, quantos, quantas, o preço, preços, horário, quanti, quante, prezzo, orari, orario, cât costă, cât timp, cât de, cât este, cât durează, câte, câți, prețul, ce preț, combien, prix, tarif, tarifs, horaires',
  // cy, ga, eu
  'faint, pris, sawl, cé mhéad, cá fhad, praghas, zenbat, prezioa',
  // da, no, sv, is
  'hvor mange, hvor meget, hvor lang, hvor længe, pris, prisen, hvor mye, hvor lenge, hur många, hur mycket, hur länge, priset, hversu, verð, kostar, koster',
  // de
  'wie viel, wie viele, wieviel, wieviele, wie lange, wie lang, wie hoch, wie groß, wie alt, wie oft, wie teuer, was kostet, was kosten, preis, preise, kosten, öffnungszeiten, uhrzeit, telefonnummer',
  // el
  'πόσο, πόσα, πόσες, πόσοι, τιμή, κοστίζει',
  // en
  'how many, how much, how long, how old, how tall, how big, how large, how high, how heavy, how far, how fast, how often, how soon, price, prices, cost, costs, fee, opening times, opening hours, hours, times, phone number, number of, percentage, limit',
  // et, fi, hu
  'kui palju, mitu, hind, kui kaua, kuinka paljon, kuinka monta, kuinka kauan, hinta, montako, paljonko, hány, mennyi, mennyibe, meddig, az ára, nyitvatartás',
  // fil, id, ms, sw, vi
  'ilan, magkano, gaano, berapa, harga, ngapi, kiasi gani, bao nhiêu, mấy ngày, bao lâu',
  // hy, ka
  'քանի, որքան, գին, գինը, ինչ արժե, რამდენი, ფასი, რა ღირს',
  // lt, lv, sq
  'kiek, kaina, cik, cena, çmimi, sa kushton',
  // bn, gu, hi, mr, ne, pa
  'কত, কয়টি, দাম, কতক্ষণ, કેટલા, કેટલું, કેટલી, ભાવ, कितना, कितने, कितनी, कीमत, किती, किंमत, कति, मूल्य, ਕਿੰਨਾ, ਕਿੰਨੇ, ਕਿੰਨੀ, ਕੀਮਤ',
  // kn, ml, ta, te
  'ಎಷ್ಟು, ಬೆಲೆ, എത്ര, വില, எவ்வளவு, எத்தனை, விலை, ఎంత, ఎన్ని, ధర',
].join();
const unspaced =
  '几, 多少, 多久, 多长, 多大, 多高, 多远, 价格, 多少钱, 时间, 幾, 多長, 多遠, 價格, 時間, いくら, いくつ, 何年, 何人, 何分, 何回, 何個, どのくらい, どれくらい, 値段, 料金, 価格, 時間, เท่าไร, เท่าไหร่, กี่, ราคา, นานแค่ไหน, ប៉ុន្មាន, តម្លៃ, ဘယ်လောက်, ဈေး, 얼마, 몇, 가격, 시간';

let pattern: RegExp | undefined;

/** Whether a question asks for a number, a price, a time or a date. */
export function asksForNumber(question: string): boolean {
  pattern ??= createPattern();
  return asksForTime(question) || pattern.test(foldText(question));
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
