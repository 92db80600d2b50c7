import type { TextLine } from '../lines/text-lines.js';
import { wordsOf } from '../lines/words.js';
import { withoutFalseHeadings } from './false-headings.js';
import { headingRanks, typographyOf } from './headings.js';
import { pageText } from './paragraphs.js';
import { type PageLines, withoutRunningHeads } from './running-heads.js';

/** Maximum offset between the edges of a table on consecutive pages, in letter heights. */
const OFFSET = 3;

/** Repeats the header of a table that continues on the next page without a header. */
function withContinuedTables(pages: readonly (readonly TextLine[])[]): (readonly TextLine[])[] {
  let above: TextLine | undefined;
  return pages.map((lines) => {
    const [first, ...others] = lines;
    const continued = first === undefined ? undefined : continuedTable(above, first);
    const page = continued === undefined ? lines : [continued, ...others];
    above = page.at(-1);
    return page;
  });
}

function continuedTable(above: TextLine | undefined, line: TextLine): TextLine | undefined {
  const [start, next] = [above?.table, line.table];
  const header = start?.rows[0];
  if (above === undefined || start === undefined || next === undefined || header === undefined)
    return undefined;
  if (!start.hasHeader || next.hasHeader || next.rows[0]?.length !== header.length) return undefined;
  const range = OFFSET * line.size;
  if (Math.abs(above.start - line.start) > range || Math.abs(above.end - line.end) > range) return undefined;
  return { ...line, table: { rows: [header, ...next.rows], hasHeader: true } };
}

/** Returns the texts of consecutive pages with headings, without running heads, each with its remarks at the end. */
export function writePages(pages: readonly PageLines[]): string[] {
  const all = pages.map(({ lines }) => lines);
  const typography = typographyOf(all);
  const words = wordsOf(all);
  return withContinuedTables(withoutRunningHeads(pages, typography.size)).map((lines, page) =>
    [
      pageText(lines, withoutFalseHeadings(lines, headingRanks(lines, typography)), words),
      ...(pages[page]?.remarks ?? []),
    ]
      .filter((block) => block !== '')
      .join('\n\n'),
  );
}
