import type { TextLine } from '../lines/text-lines.js';
import { isMostlyRightToLeft } from '../lines/word-order.js';
import type { Segment } from './table-rows.js';
import type { Table } from './table-text.js';

/** Returns the line that replaces the segments of a table, at the place of the first segment. */
export function tableLine(
  segments: readonly Segment[],
  first: Segment,
  { rows, hasHeader }: Table,
): TextLine {
  const isRightToLeft = isMostlyRightToLeft(rows.flat().join(''));
  const ordered = isRightToLeft ? rows.map((row) => row.toReversed()) : rows;
  return {
    ...first.line,
    text: ordered.map((row) => row.join('\t')).join('\n'),
    start: segments.reduce((least, { start }) => Math.min(least, start), first.start),
    end: segments.reduce((most, { end }) => Math.max(most, end), first.end),
    tabular: true,
    cells: [],
    table: { rows: ordered, hasHeader },
  };
}
