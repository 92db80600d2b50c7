import type { TextLine } from '../lines/text-lines.js';
import { withContinuedTables } from '../tables/continued-tables.js';
import { withoutFalseHeadings } from './false-headings.js';
import { headingRanks, typographyOf } from './headings.js';
import { pageText } from './paragraphs.js';
import { withoutRunningHeads } from './running-heads.js';

/** Returns the texts of consecutive pages, with headings and without running heads. */
export function writePages(pages: readonly (readonly TextLine[])[]): string[] {
  const typography = typographyOf(pages);
  return withContinuedTables(withoutRunningHeads(pages, typography.size)).map((lines) =>
    pageText(lines, withoutFalseHeadings(lines, headingRanks(lines, typography))),
  );
}
