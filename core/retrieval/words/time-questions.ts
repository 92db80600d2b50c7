import { foldText } from '../analysis/fold-text.js';
import { termsOf } from './question-words.js';
import { TIME } from './value-kinds.js';

/** Questions for a time, day or date, in the languages of the widget. */
const spaced = [
  // Germanic
  'wanneer, hoe laat, welke dag, wann, um wie viel uhr, welcher tag, an welchem tag, welches datum, when, what time, what day, which day, what date, which date, dates, hvornår, hvilken dag, når, klokken hva, när, vilken dag, vilken tid, hvenær, klukkan hvað',
  // Romance
  'quan, a quina hora, cuándo, a qué hora, qué día, qué fecha, cando, a que hora, quando, que dia, que horas, a che ora, che giorno, quand, à quelle heure, quel jour, quels jours, quelle date, când, la ce oră',
  // Slavic and Baltic
  'калі, кога, kada, kad, kdy, v kolik, kedy, o koľkej, kdaj, kiedy, o której, когда, во сколько, в какой день, када, коли, о котрій, kokią dieną',
  // Other European
  'πότε, τι ώρα, ποια μέρα, millal, mis kell, milloin, mihin aikaan, moneltako, mikor, hány órakor, melyik nap, noiz, cathain, pryd, երբ, როდის',
  // Turkic, Semitic, Iranian and other
  'ne zaman, saat kaçta, hangi gün, nə vaxt, қашан, qachon, متى, في أي ساعة, چه وقت, چه زمانی, کب, מתי, באיזו שעה, kapan, jam berapa, bila, pukul berapa, kailan, lini, saa ngapi, khi nào, mấy giờ, lúc nào, ngày nào, хэзээ',
  // Indic
  'কখন, কবে, ક્યારે, कब, कधी, कहिले, ਕਦੋਂ, ಯಾವಾಗ, എപ്പോൾ, எப்போது, ఎప్పుడు',
].join();
const unspaced =
  '什么时候, 何时, 几点, 哪天, 星期几, 什麼時候, 何時, 幾點, いつ, 何曜日, 何日, เมื่อไร, เมื่อไหร่, กี่โมง, วันไหน, ពេលណា, ဘယ်တော့, 언제, 몇 시, 며칠, 무슨 요일';

const alternatives = (phrases: string): string =>
  foldText(phrases)
    .split(/\s*,\s*/)
    .join('|');
const pattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${alternatives(spaced)})(?![\\p{L}\\p{M}\\p{N}])|${alternatives(unspaced)}`,
  'u',
);

/** Whether a question asks for a time, day or date. */
export const asksForTime = (question: string): boolean => pattern.test(foldText(question));

/** A Monday. */
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
/** Minimum code points of a name. English "May" is a common word. */
const LEAST_NAME = 4;

const timeTerms = new Map<string, readonly string[]>();

/** Returns the terms of times in a language: names of days and months, and `TIME` for those in numbers. */
export function timeTermsIn(language: string): readonly string[] {
  const known = timeTerms.get(language);
  if (known !== undefined) return known;
  // Months have the form that follows a day.
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const parts = [
    ...Array.from({ length: 7 }, (_, n) => day.formatToParts(FIRST_DAY + n * DAY_MS)),
    ...Array.from({ length: 12 }, (_, n) => month.formatToParts(Date.UTC(2024, n))),
  ].flat();
  const names = parts
    .filter(({ type, value }) => type === 'weekday' || (type === 'month' && /\p{L}/u.test(value)))
    .map(({ value }) => foldText(value))
    .filter((name) => [...name].length >= LEAST_NAME || !/\p{Script=Latin}/u.test(name));
  const terms = [TIME, ...new Set(names.flatMap(termsOf))];
  timeTerms.set(language, terms);
  return terms;
}
