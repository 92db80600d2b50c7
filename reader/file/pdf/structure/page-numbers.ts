/** Words before a page number, and between it and the number of pages. */
const pageWord =
  'pages?|pgs?|pp|seiten?|blatt|bl|folie|slide|sheet|páginas?|paginas?|págs?|pags?|folio|str(?:ana|ona|ánka|an)?|sidan?|side|sivu|lk|oldal|blad|sayfa|trang|halaman|стр(?:аница)?|сторінка|σελ(?:ίδα)?|หน้า|صفحة|صفحه|עמוד|पृष्ठ|第|쪽|페이지|ページ';
/** Single letters before a page number. Within a longer text they need a dot: `Route S3`. */
const pageLetter = 's|p|с|ص';
const roman = '[ivxlc]{1,7}';
const number = `(?:\\d{1,5}|${roman})`;
const ofAll = `(?:\\s*(?:[/|]|of|von|sur|de|di|van|av|af|z|ze|из|από|共|มาจาก)\\s*\\d{1,5})?`;
const after = '(?:\\s*(?:页|頁|쪽|페이지|ページ|oldal|lk|sayfa))?';
const inDashes = '[\\s\\-–—~·•|[\\]()]*';

/** Only a page number, such as `12`, `- 3 -`, `Page 4 of 9` or `iv`. */
const alone = new RegExp(
  `^${inDashes}(?:(?:${pageWord}|${pageLetter})\\.?:?\\s*)?${number}\\.?${ofAll}${after}${inDashes}$`,
  'iu',
);
/** A page number with its word within a longer text, or with the number of pages. */
const within = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:(?:${pageWord})\\.?|(?:${pageLetter})\\.):?\\s*\\d{1,5}${ofAll}|\\d{1,5}\\s*(?:of|von|sur|из|/)\\s*\\d{1,5})(?![\\p{L}\\p{N}])`,
  'iu',
);
const romanAlone = new RegExp(`^${roman}$`, 'i');
const between = /\t|\s[|–—•·-]\s/;
/** Separators that a removed number leaves at the edges of a text. */
const looseEnds = /^[\s,;:|–—•·-]+|[\s,;:|–—•·-]+$/g;
/** Words beside a number at the edge of a line. Fewer may be named by the number: `Room 12`. */
const MIN_WORDS = 3;

export const isRoman = (text: string): boolean => romanAlone.test(text);

/**
 * Returns what a line at the edge of a page says beside its page number, '' if nothing. Returns null if its number is none
 * of a page but belongs to the words, as in `Price: 40 euro`. `place` is the index of the number that counts the pages.
 */
export function besidePageNumber(text: string, place?: number): string | null {
  const parts = text.split(between).map((part) => part.trim());
  const others = parts.filter((part) => !alone.test(part));
  if (others.length < parts.length) return others.join(' | ');
  if (within.test(text)) return text.replace(within, '').replace(looseEnds, '');
  const last = (text.match(/\d{1,5}/g)?.length ?? 0) - 1;
  const isFirst = (place ?? 0) === 0 && /^\d{1,5}\s+\p{L}/u.test(text);
  const isLast = (place ?? last) === last && /\p{L}\s+\d{1,5}$/u.test(text);
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  if ((!isFirst && !isLast) || words < MIN_WORDS) return null;
  // Either number may be the one of the page.
  if (isFirst && isLast) return text;
  return text.replace(isFirst ? /^\d+\s+/ : /\s+\d+$/, '');
}
