import { isBlank, trimmed } from './sentences.js';
import { isTableLine, tableRows } from './table-rows.js';
import { isIntroduction, isListItem } from './text-structure.js';

/** Maximum length of a title in UTF-16 units. */
const MAX_TITLE = 300;
/** UTF-16 units from the start of a table that are examined for a header. */
const HEAD_OF_TABLE = 2_000;

/**
 * Returns the header of the table, or the introduction of the list, that continues at `at`; null if no structure
 * continues there or it has no such line. The search starts at `at` and ends at `from`. `before` is the title of a
 * structure that already continues at `from`. Takes time in proportion to `at - from`.
 */
export function titleOfContinued(
  text: string,
  from: number,
  at: number,
  before: string | null,
): string | null {
  const lineStart = startOfIndent(text, at);
  if (lineStart === null) return null;
  const newline = text.indexOf('\n', at);
  const own = text.slice(at, newline < 0 ? text.length : newline);
  if (isTableLine(own)) return headerAbove(text, from, at, before);
  return isListItem(own) || lineStart < at ? introductionAbove(text, from, at, before) : null;
}

/** Returns the start of the line if only white space precedes `at`; otherwise null. Reads only that white space. */
function startOfIndent(text: string, at: number): number | null {
  let start = at;
  for (; start > 0 && text.charAt(start - 1) !== '\n'; start--)
    if (!isBlank(text.charCodeAt(start - 1))) return null;
  return start;
}

const titled = (line: string): string | null => (line.length <= MAX_TITLE && line !== '' ? line : null);

function headerAbove(text: string, from: number, at: number, before: string | null): string | null {
  let first = at;
  for (const { start, written } of linesAbove(text, from, at)) {
    if (!isTableLine(written)) break;
    first = start;
  }
  if (first === at) return null;
  if (first <= from && before !== null) return before;
  const { header } = tableRows(text, { start: first, end: Math.min(at, first + HEAD_OF_TABLE) });
  return header === null ? null : titled(text.slice(header.start, header.end));
}

function introductionAbove(text: string, from: number, at: number, before: string | null): string | null {
  let isList = false;
  for (const { start, written, isIndented } of linesAbove(text, from, at)) {
    // The first line may be the rest of a list item.
    const isRest = start === from && before !== null;
    const isPart = isListItem(written) || isIndented || isRest || written === '';
    if (!isPart) return isList && isIntroduction(written) ? titled(written) : null;
    isList ||= written !== '';
  }
  return isList ? before : null;
}

/** Yields the lines between two positions in reverse order, without surrounding white space. */
function* linesAbove(
  text: string,
  from: number,
  at: number,
): Generator<{ start: number; written: string; isIndented: boolean }> {
  for (let end = text.lastIndexOf('\n', at - 1); end >= from; ) {
    const lineStart = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
    const [start, stop] = trimmed(text, lineStart, end);
    yield { start, written: text.slice(start, stop), isIndented: start > lineStart };
    end = lineStart - 1;
  }
}
