import { createHeadRepeat } from '../../../head-repeat.js';

/** A table that replaces its lines. */
export interface Table {
  rows: readonly (readonly string[])[];
  /** The first row names the columns. */
  hasHeader: boolean;
}

const lineOf = (row: readonly string[]): string =>
  `| ${row.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;

/** Formats a table as Markdown. Repeats the header, so that each chunk of a long table contains it. */
export function tableText({ rows, hasHeader }: Table): string {
  const lines = rows.map(lineOf);
  const [first, ...others] = lines;
  if (!hasHeader || first === undefined) return lines.join('\n');
  const head = [first, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`];
  const isDue = createHeadRepeat(head.join('\n'));
  return [...head, ...others.flatMap((line) => (isDue(line) ? ['', ...head, line] : [line]))].join('\n');
}
