import { scriptLetters } from './script-letters.js';

/** How a part of a line is shifted. `cents` is small text that may be the decimals of a price. */
export type Shift = 'super' | 'sub' | 'cents';

/** A longer shifted text is a remark, not an exponent or index. */
const MAX_SHIFTED_CHARS = 24;
/** Characters of the line around a shifted part that decide what it means. */
const CONTEXT_CHARS = 24;

const currency =
  /[$€£¥₹₽₺₩₪฿]|(?<!\p{L})(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|RON|Kč|kr|zł|Ft|lei|руб|euros?)(?!\p{L})\.?/iu;
const currencyFirst = new RegExp(`(?:${currency.source})\\s*\\d[\\d.,'’\\s]*$`, 'iu');
const currencyNext = new RegExp(`^[\\s*]{0,3}(?:${currency.source})`, 'iu');
const onlyCurrency = new RegExp(`^(?:${currency.source})$`, 'iu');
/** Currencies whose decimals follow a point. */
const withPoint = /[$£¥₹]|USD|GBP|CHF/i;

/** Endings of ordinal numbers: 1st, 2e, 3º. */
const ordinal = /^(?:st|nd|rd|th|e|er|re|ère|ème|eme|ième|nde?|o|a|os|as|ος|η|ο|й|я|е)$/iu;
/** Hours of the day, before raised minutes: 14³⁰. */
const hour = /(?<![\d.,])(?:[01]?\d|2[0-4])$/;
const minutes = /^[0-5]\d$/;
const clock =
  /^\s*(?:(?:[-–—]|bis|to|until|till|à|al?|até|tot|til|do|до)\s*(?:[01]?\d|2[0-4])(?:[0-5]\d)?(?!\d)|Uhr\b|hod\b|ч(?:ас|\b)|година)/iu;
const clockBefore = /(?:\d[-–—]\s*|\d\s+[-–—]\s*|\bgodz\.?\s*|:\d\d\s*[-–—]\s*)\d{1,2}$/iu;

/**
 * Returns the plain form of a shifted text: superscripts and subscripts of Unicode, or else `^(…)` and `_(…)`. Decimals
 * of prices, minutes, fractions, ordinals and marks of notes are written as in running text. `before` and `after` are
 * the rest of the line.
 */
export function plainShift(shift: Shift, text: string, before: string, after: string): string {
  const bare = text.trim();
  const left = before.slice(-CONTEXT_CHARS);
  const right = after.slice(0, CONTEXT_CHARS);
  if (bare === '' || bare.length > MAX_SHIFTED_CHARS) return text;
  const decimals = decimalsOf(bare, left, right);
  if (decimals !== null) return decimals;
  if (shift === 'cents') return text;
  if (shift === 'super') return superscript(bare, text, left, right);
  return subscript(bare, text, left);
}

/** Returns the decimals of a price with their mark; null if the line is no price. */
function decimalsOf(text: string, before: string, after: string): string | null {
  const [, cents = '', ownCurrency = ''] = /^(\d\d|[-–—]{1,2})\s*(\D*)$/u.exec(text) ?? [];
  if (cents === '' || !/\d$/.test(before)) return null;
  const near = ownCurrency || (currencyFirst.exec(before)?.[0] ?? currencyNext.exec(after)?.[0] ?? '');
  if (near === '' || (ownCurrency !== '' && !onlyCurrency.test(ownCurrency))) return null;
  const mark = withPoint.test(near) ? '.' : ',';
  return `${mark}${cents}${ownCurrency === '' ? '' : ` ${ownCurrency}`}`;
}

function superscript(text: string, source: string, before: string, after: string): string {
  const isNumber = /^\d{1,3}$/.test(text);
  if (isNumber && /^\s?[/⁄∕]\s?\d/.test(after)) return /\d$/.test(before) ? ` ${text}` : text;
  if (minutes.test(text) && hour.test(before)) {
    const isTime = text === '00' || clock.test(after) || clockBefore.test(before);
    if (isTime) return `:${text}`;
  }
  if (/^h$/i.test(text) && /\d\s?$/.test(before) && !/^\s?\p{L}/u.test(after)) return text;
  if (text === 'o' && /(?<!\p{L})n$/iu.test(before)) return 'º';
  if (/^[o0º°]$/.test(text) && /\d\s?$/.test(before) && /^\s?[CF](?!\p{L})/u.test(after)) return '°';
  if (!/[\p{L}\p{N}\p{M}\p{Pe}"'’”»%′″.,;:!?€$£]$/u.test(before)) {
    // The number of an isotope, or the mark of a note after a blank. At the start of a line, it numbers a note.
    const isMark = isNumber && (before !== '' || /^\S/.test(after));
    return isMark ? (signs(text, 'super') ?? source) : source;
  }
  // A decimal that has its mark already.
  const isMarked = /\d[.,]$/.test(before) && /^\d\d$/.test(text) && currency.test(`${before} ${after}`);
  if (/^[.,]/.test(text) || isMarked) return source;
  // Marks of notes stay as they are written.
  if (/^[[(]?[*†‡§¶®©™]+[\])]?$/u.test(text) || /^[[(].*[\])]$/.test(text)) return source;
  if (currency.test(text) && !/^[\d\s.,]+$/.test(text)) return source;
  const asSigns = signs(text, 'super');
  if (/^\p{L}+\.?$/u.test(text)) return letters(text, before) ?? asSigns ?? `^(${text})`;
  return asSigns ?? listOfMarks(text, before) ?? `^(${text})`;
}

/** Returns raised letters as they are if they end an ordinal number or an abbreviation: 1st, Mme, TM. */
function letters(text: string, before: string): string | null {
  if (/\d$/.test(before)) return ordinal.test(text) && !/[.,]\d+$/.test(before) ? text : null;
  const isAbbreviation = /\p{L}{2}$/u.test(before) || /\p{Lu}$/u.test(before);
  return isAbbreviation && /\p{L}{2}/u.test(text) ? text : null;
}

/** Returns marks of several notes as superscripts: `word¹,²`. */
function listOfMarks(text: string, before: string): string | null {
  if (!/^\d{1,3}(?:\s*[,;–-]\s*\d{1,3})+$/.test(text) || /[\d)]$/.test(before)) return null;
  return text.replace(/\d+/g, (digits) => signs(digits, 'super') ?? digits);
}

function subscript(text: string, source: string, before: string): string {
  if (/\d\s?[/⁄∕]\s?$/.test(before) || !/[\p{L}\p{N}\p{M}\p{Pe}\p{Sm}]$/u.test(before)) return source;
  if (/\s/.test(text) && !/[+−=-]/.test(text)) return source;
  return signs(text, 'sub') ?? `_(${text})`;
}

/** Returns a number, a sum of numbers and n or i, or a single letter in Unicode; null if it lacks a character. */
function signs(text: string, shift: 'super' | 'sub'): string | null {
  const letters = scriptLetters[shift];
  const isSum = /^[\d+\-−–=()ni\s]+$/.test(text) && !/^[ni]{2,}$/.test(text);
  if (!isSum && !/^\p{L}$/u.test(text)) return null;
  let shifted = '';
  for (const char of text) {
    if (char === ' ') continue;
    const sign = letters.get(char);
    if (sign === undefined) return null;
    shifted += sign;
  }
  return shifted;
}

/** Marks around shifted parts of a line that is being read. Noncharacters do not occur in texts. */
const marks = { super: ['\ufdd0', '\ufdd1'], sub: ['\ufdd2', '\ufdd3'] } as const;
const shiftedPart = /\ufdd0([^\ufdd0-\ufdd3]*)\ufdd1|\ufdd2([^\ufdd0-\ufdd3]*)\ufdd3/g;
const anyMark = /[\ufdd0-\ufdd3]/g;

/** Marks a shifted part of a line. `plainShifts` replaces it when the line is complete. */
export function withShift(shift: 'super' | 'sub' | null, text: string): string {
  if (shift === null) return text;
  const [begin, end] = marks[shift];
  return begin + text.replace(anyMark, '') + end;
}

/** Replaces the marked parts of a line by their plain form. */
export function plainShifts(marked: string): string {
  if (!/[\ufdd0-\ufdd3]/.test(marked)) return marked;
  const line = marked.replaceAll('\ufdd1\ufdd0', '').replaceAll('\ufdd3\ufdd2', '');
  // A line that is shifted as a whole is only set smaller.
  const isWhole = line.replace(shiftedPart, '').trim() === '';
  const plain = line.replace(shiftedPart, (part, raised?: string, lowered?: string, at = 0) => {
    const text = raised ?? lowered ?? '';
    if (isWhole) return text;
    const end = at + part.length;
    const before = line.slice(Math.max(0, at - 2 * CONTEXT_CHARS), at).replace(anyMark, '');
    const after = line.slice(end, end + 2 * CONTEXT_CHARS).replace(anyMark, '');
    return plainShift(raised === undefined ? 'sub' : 'super', text, before, after);
  });
  return plain.replace(anyMark, '');
}
