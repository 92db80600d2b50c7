import type { Words } from './words.js';

const cjk = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;
const lineEnd = /[\p{L}\p{N}][-\u00ad\u2010]$/u;
/** A mail address, an address of a page or a path. */
const address = /@|:\/\/|www\.|\p{L}\/|\p{L}\.\p{Ll}{2}/u;
/** Words after which a part of a compound is left out, as in `on- and offline`. */
const conjunction = /^(?:and|or|to|und|oder|bzw|et|ou|y|e|o|of|en|och|eller|og|i|lub)(?!\p{L})/u;
/** Last and next part of a number of an article, as in `ZB-4100-X2`. */
const codeEnd = /(?:^|[^\p{L}])[\p{Lu}\d-]*[\p{Lu}\d]$/u;
const codeStart = /^(?=[\p{Lu}-]*\d)[\p{Lu}\d]+(?![\p{L}\d])/u;
const MAX_CODE = 40;
/** A line with fewer words may be an item of a list. */
const MIN_RUNNING_WORDS = 3;

/** Shorter parts of a word are often words by chance. */
const MIN_PART = 3;

/** Joins a line to the text before it, with a space if it was wrapped. `words` holds those of the document. */
export function joinLine(text: string, next: string, wrapped: boolean, words?: Words): string {
  if (lineEnd.test(text)) {
    const joined = joinHyphenated(text, next, wrapped, words);
    if (joined !== null) return joined;
  }
  if (!wrapped) return `${text}\n${next}`;
  return cjk.test(text.at(-1) ?? '') && cjk.test(next[0] ?? '') ? text + next : `${text} ${next}`;
}

/** Returns null if the hyphen does not continue on the next line. */
function joinHyphenated(text: string, next: string, wrapped: boolean, words?: Words): string | null {
  const before = /\S*$/.exec(text)?.[0].slice(0, -1) ?? '';
  const after = /^\S*/.exec(next)?.[0] ?? '';
  if (text.endsWith('\u00ad') && /^\p{L}/u.test(after)) return text.slice(0, -1) + next;
  if (address.test(`${before}-${after}`) && /^[\p{L}\p{N}]/u.test(after)) return text + next;
  if (codeEnd.test(before.slice(-MAX_CODE)) && codeStart.test(after.slice(0, MAX_CODE))) return text + next;
  if (/\p{N}$/u.test(before)) return /^\p{N}/u.test(after) ? text + next : null;
  if (/^\p{Ll}/u.test(after) && /\p{Ll}$/u.test(before)) {
    if (conjunction.test(after) && words?.has((before + after).toLowerCase()) !== true)
      return `${text} ${next}`;
    return keepsHyphen(before, after, words) ? text + next : text.slice(0, -1) + next;
  }
  // A compound of names, as in `North-East`.
  const isRunning = wrapped || text.slice(text.lastIndexOf('\n') + 1).split(' ').length >= MIN_RUNNING_WORDS;
  return isRunning && /^\p{Lu}\p{Ll}/u.test(after) && /\p{Ll}{2}$/u.test(before) ? text + next : null;
}

/** Returns whether the hyphen belongs to a compound instead of the break of a word. */
function keepsHyphen(before: string, after: string, words?: Words): boolean {
  if (before.includes('-') || /^\p{Ll}+-/u.test(after) || !/\p{L}{2}$/u.test(before)) return true;
  const [start, end] = [before, after].map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ''));
  if (words === undefined || start === undefined || end === undefined) return false;
  if (words.has(start + end)) return false;
  if (words.has(`${start}-${end}`)) return true;
  return start.length >= MIN_PART && end.length >= MIN_PART && words.has(start) && words.has(end);
}
