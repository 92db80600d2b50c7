/** Matches a line of a table of contents: a title, dots or wide spaces, and a page number. */
const contentsLine = /\S[^\n]*?(?:\.{4,}|(?:\. ){3,}|…{2,}|·{4,}|_{4,})\s*(?:\d{1,4}|[ivxlc]{1,6})\s*$/;
/** Matches an entry of an index: a short term, and page numbers behind a comma. */
const indexEntry = /^[^,.;:!?|\n]{1,60}(?:,\s*\d{1,4}(?:\s*[-–]\s*\d{1,4})?)+\s*$/u;
/** Matches a running head or foot: at most a title, and a page number. */
const pageLine =
  /^[^.!?\n]{0,80}(?:^|[\s–—|·-])(?:pages?|seite|página|pagina|strona|strana|sayfa|sida|side|стр\.?|страница)\s*\d{1,4}(?:\s*(?:\/|of|von|de|di|van|z|из)\s*\d{1,4})?\s*$/iu;

const isIndex = (line: string): boolean =>
  contentsLine.test(line) || indexEntry.test(line) || pageLine.test(line);

/**
 * Returns whether lines belong to a table of contents, an index, or a running head, and so answer nothing. The first
 * line above two entries may be their title.
 */
export const isIndexLine = (text: string): boolean => {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const entries = lines.length > 2 ? lines.slice(1) : lines;
  return entries.length > 0 && entries.every(isIndex);
};
