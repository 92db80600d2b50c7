import type { TextLine } from '../lines/text-lines.js';
import type { Rule, Rules } from './rules.js';
import { columnsOf } from './table-columns.js';
import { baselinesOf, type Row, type Segment } from './table-rows.js';
import { isColumnsOfText } from './tables.js';

/** Maximum distance between the ends of horizontal lines of one table, in points. */
const SAME_END = 3.5;
/** Minimum number of horizontal lines in a table. Fewer lines separate a header or sections of a page. */
const MIN_LEVELS = 4;

/**
 * Adds vertical lines between the columns of tables that have only horizontal lines. Not needed if each cell fits on
 * one line.
 */
export function withPosts({ across, upright }: Rules, lines: readonly TextLine[]): Rules {
  const posts = stacksOf(across)
    .filter((levels) => !upright.some((post) => levels.some((level) => meet(level, post))))
    .flatMap((levels) => postsOf(levels, lines));
  return { across, upright: [...upright, ...posts] };
}

/** Groups lines with the same ends, from the bottom. Lines that were drawn twice count once. */
function stacksOf(across: readonly Rule[]): Rule[][] {
  const stacks: Rule[][] = [];
  for (const rule of [...across].sort((one, other) => one.from - other.from || one.at - other.at)) {
    const stack = stacks.at(-1);
    const [first] = stack ?? [];
    const isSame =
      first !== undefined &&
      Math.abs(first.from - rule.from) <= SAME_END &&
      Math.abs(first.to - rule.to) <= SAME_END;
    if (isSame) stack?.push(rule);
    else stacks.push([rule]);
  }
  return stacks.map(withoutCopies).filter((stack) => stack.length >= MIN_LEVELS);
}

const withoutCopies = (stack: readonly Rule[]): Rule[] =>
  [...stack]
    .sort((one, other) => one.at - other.at)
    .filter((rule, i, sorted) => rule.at - (sorted[i - 1]?.at ?? Number.NEGATIVE_INFINITY) > SAME_END);

const meet = (level: Rule, post: Rule): boolean =>
  post.at >= level.from && post.at <= level.to && level.at >= post.from && level.at <= post.to;

function postsOf(levels: readonly Rule[], lines: readonly TextLine[]): Rule[] {
  const [bottom, top] = [levels[0], levels.at(-1)];
  if (bottom === undefined || top === undefined) return [];
  const rows = rowsWithin(bottom, top, lines);
  const columns = columnsOf(rows);
  if (columns.length < 2 || !hasWrappedCells(levels, rows) || isColumnsOfText(rows, columns)) return [];
  return columns.slice(1).map(({ start }, i) => ({
    at: ((columns[i]?.end ?? start) + start) / 2,
    from: bottom.at,
    to: top.at,
  }));
}

function rowsWithin(bottom: Rule, top: Rule, lines: readonly TextLine[]): Row[] {
  const inside = lines.filter(({ v, start }) => v > bottom.at && v < top.at && start >= bottom.from);
  const segments = inside.flatMap((line) => line.cells.map((cell): Segment => ({ ...cell, line, order: 0 })));
  return baselinesOf(segments);
}

/** Returns whether, in at least two places, several rows of cells lie between two neighbouring lines. */
function hasWrappedCells(levels: readonly Rule[], rows: readonly Row[]): boolean {
  const counts = levels.map(() => 0);
  for (const row of rows) {
    const above = levels.findIndex(({ at }) => at > (row[0]?.line.v ?? 0));
    if (above >= 0 && row.length > 1) counts[above] = (counts[above] ?? 0) + 1;
  }
  return counts.filter((count) => count > 1).length > 1;
}
