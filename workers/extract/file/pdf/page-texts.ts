import { headingRanks, typographyOf } from './headings.js';
import { pageText } from './paragraphs.js';
import { withoutRunningHeads } from './running-heads.js';
import type { TextLine } from './text-lines.js';

/** The texts of pages that follow each other, each with its headings and without what repeats at their edges. */
export function writePages(pages: readonly (readonly TextLine[])[]): string[] {
  const typography = typographyOf(pages);
  return withoutRunningHeads(pages, typography.size).map((lines) =>
    pageText(lines, headingRanks(lines, typography)),
  );
}
