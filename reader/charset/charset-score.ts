import { letterPoints } from './language-letters.js';

/**
 * Scores how much a decoded sample looks like written text: about 1 for the right charset, far less for a wrong one.
 * Ignores ASCII, which is the same in all candidates.
 */

/**
 * The most frequent letters of running text, by script. Text decoded in a wrong charset of the same script contains few
 * of them.
 */
const frequent = new Set(
  'оеаинтсрвлкмдпуяіїє' +
    'αεηιοντρσκλμπυωςάέήίόύώ' +
    'אבדהוילמנרשתםןכעקחפצבג' +
    'اليمنترهوبعدسفكقحجةىأإ' +
    'กนรอาเงวมยลสทคดตบปหพะัีุู่้ิ์ํื',
);
const typographic = new Set('“”‘’„‚«»–—…•€£§©®°´·×½¼¾ªº¿¡ ™†');

const isLetter = (char: string) => /\p{L}|\p{M}/u.test(char);
/** Accented Latin letters are rarely adjacent. Vietnamese adds a mark to some of them. */
const isAccented = (char: string) => char > '\x7f' && /\p{L}/u.test(char) && scriptOf(char) === 'latin';
const isUpper = (char: string) => char !== char.toLowerCase();

export function scoreSingleByte(text: string): number {
  let points = 0;
  let judged = 0;
  let previous = ' ';
  const chars = [...text];
  const latin = new Map<string, number>();
  for (const [i, char] of chars.entries()) {
    if (char > '\x7f') {
      judged++;
      const own = pointsOf(char, previous, chars[i + 1] ?? ' ');
      if (own === 'by language') latin.set(char, (latin.get(char) ?? 0) + 1);
      else points += own;
    }
    previous = char;
  }
  return judged === 0 ? 0 : (points + letterPoints(latin)) / judged;
}

function pointsOf(char: string, previous: string, next: string): number | 'by language' {
  if (char === '\ufffd' || (char >= '\x80' && char <= '\x9f')) return -3;
  if (typographic.has(char)) return isLetter(previous) && isLetter(next) && char !== '’' ? -0.5 : 0.6;
  if (!isLetter(char)) return -1;
  if (isUpper(char) && isLetter(previous) && !isUpper(previous)) return -1.5;
  if (isLetter(previous) && scriptOf(previous) !== scriptOf(char)) return -1.5;
  if (isLetter(next) && scriptOf(next) !== scriptOf(char)) return -1.5;
  if (!isLetter(previous) && !isLetter(next)) return -0.2;
  const accented = Number(isAccented(previous)) + Number(isAccented(next));
  if (isAccented(char) && accented > 0) return accented === 2 ? -1 : 0.5;
  if (scriptOf(char) === 'latin') return 'by language';
  return frequent.has(char.toLowerCase()) ? (isUpper(char) ? 0.8 : 1) : 0.2;
}

type Script = 'latin' | 'cyrillic' | 'greek' | 'hebrew' | 'arabic' | 'thai' | 'other';

function scriptOf(char: string): Script {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x0250 || (code >= 0x0300 && code < 0x0370) || (code >= 0x1e00 && code < 0x1f00)) return 'latin';
  if (code >= 0x0370 && code < 0x0400) return 'greek';
  if (code >= 0x0400 && code < 0x0530) return 'cyrillic';
  if (code >= 0x0590 && code < 0x0600) return 'hebrew';
  if (code >= 0x0600 && code < 0x0780) return 'arabic';
  if (code >= 0x0e00 && code < 0x0e80) return 'thai';
  return 'other';
}

/** Distinguish the CJK scripts first, because each charset encodes them elsewhere. */
const kana = /[\u3040-\u30ff]/;
const cjkPunctuation = /[\u3000-\u303f\uff01-\uff5e]/;

/** The most frequent characters of Chinese (simplified and traditional) and syllables of Korean. */
const commonHanzi = new Set(
  '的一是不了在人有我他这中大来上个国和也子时道说要以生地到你会着下自之年过发后作里用于家方能成都可学对好还' +
    '這來個國時說會過發後裡於對還為從現經與開關點問無長動電學實業產應進種機體數當沒見將兩書間樣麼' +
    '为从现经与开关点问无长动电实业产应进种机体数当没见将两书间样么全分前本高心想情法看已行面所事文工公民主' +
    '自由等尊严嚴权權利律平而其们們理性良并並關系係精神相待司服务務提供联聯部門门优優质質欢歡迎',
);
const commonHangul = new Set(
  '이다의는에을가고하로지사기한은자리시나대어인아도정서스수일해부제그보라장를들과게만있전여구주원교학',
);

export function scoreMultiByte(text: string, charset: string): number {
  let points = 0;
  let judged = 0;
  for (const char of text) {
    if (char <= '\x7f') continue;
    judged++;
    points += multiBytePoints(char, char.codePointAt(0) ?? 0, charset);
  }
  return judged === 0 ? 0 : points / judged;
}

function multiBytePoints(char: string, code: number, charset: string): number {
  const isJapanese = charset === 'shift_jis' || charset === 'euc-jp';
  if (code === 0xfffd || (code >= 0x80 && code < 0xa0) || (code >= 0xe000 && code < 0xf900)) return -4;
  if (cjkPunctuation.test(char)) return 1;
  if (kana.test(char)) return isJapanese ? 1.2 : -0.3;
  if (code >= 0xac00 && code <= 0xd7a3) return commonHangul.has(char) ? 1.3 : 0.4;
  if (code >= 0x4e00 && code <= 0x9fff) {
    if (charset === 'euc-kr') return 0.1;
    return commonHanzi.has(char) ? 1.3 : isJapanese ? 0.45 : charset === 'gb18030' ? 0.55 : 0.5;
  }
  return code >= 0xff61 && code <= 0xff9f ? -0.6 : -0.3;
}
