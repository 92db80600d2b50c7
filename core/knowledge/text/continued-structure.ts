import { isBlank, trimmed } from './sentences.js';
import { isTableLine, tableRows } from './table-rows.js';
import { isIntroduction, isListItem } from './text-structure.js';

/** UTF-16 units. A longer line is no title. */
const MAX_TITLE = 300;
/** UTF-16 units of a table that decide whether it has a header. */
const HEAD_OF_TABLE = 2_000;

/**
 * Returns the line that gives a meaning to the rest of a table or list after `at`: the header or the introduction.
 * `from` is where the text before it begins, and `before` the title of the structure that continues there. Null if
 * nothing is cut, or if there is no such line. Takes time in proportion to `at - from`.
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

/** Returns where the line of `at` begins if only white space is before it. Reads no more than that. */
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
    // The first line of a run may be the rest of an item.
    const isRest = start === from && before !== null;
    const isPart = isListItem(written) || isIndented || isRest || written === '';
    if (!isPart) return isList && isIntroduction(written) ? titled(written) : null;
    isList ||= written !== '';
  }
  return isList ? before : null;
}

/** Lines between two positions, the last one first, without surrounding white space. */
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
