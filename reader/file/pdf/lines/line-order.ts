import { orderByGutters } from './columns.js';
import type { TextLine } from './text-lines.js';
import { CELL_GAP } from './word-order.js';

/** Lines are reordered if at least this many, and this share of all, lie above the previously drawn line. */
const MIN_JUMPS = 3;
const JUMP_SHARE = 0.3;
/** Minimum lines of a column. */
const COLUMN_LINES = 3;

/**
 * Returns the lines of a page in reading order. Keeps the drawing order unless it switches between columns of running
 * text, or repeatedly jumps up within a column. In these cases, columns are read one by one from the top.
 */
export function linesInReadingOrder(lines: readonly TextLine[]): readonly TextLine[] {
  const stacked = joinUpright(lines);
  const columns = orderByGutters(stacked);
  if (columns !== null) return columns;
  if (!isDisorderly(stacked)) return stacked;
  return mergeRows(byColumns(stacked));
}

const overlap = (one: TextLine, other: TextLine): boolean =>
  Math.min(one.end, other.end) > Math.max(one.start, other.start);

function isDisorderly(lines: readonly TextLine[]): boolean {
  if (lines.some((line) => line.turn !== lines[0]?.turn)) return false;
  let jumps = 0;
  for (const [i, line] of lines.entries()) {
    const previous = lines[i - 1];
    if (previous && overlap(previous, line) && line.v > previous.v + 0.5 * line.size) jumps++;
  }
  return jumps >= MIN_JUMPS && jumps > JUMP_SHARE * lines.length;
}

function byColumns(lines: readonly TextLine[]): TextLine[] {
  const fromLeft = [...lines].sort((one, other) => one.start - other.start);
  let end = Number.NEGATIVE_INFINITY;
  for (const [i, line] of fromLeft.entries()) {
    const isGutter = line.start - end > line.size && i >= COLUMN_LINES && fromLeft.length - i >= COLUMN_LINES;
    const left = fromLeft.slice(0, i);
    if (isGutter && !isTable(left, fromLeft.slice(i)))
      return [...byRow(left), ...byColumns(fromLeft.slice(i))];
    end = Math.max(end, line.end);
  }
  return byRow(lines);
}

/** Returns whether the columns are cells of the same rows rather than running text. */
const isTable = (left: readonly TextLine[], right: readonly TextLine[]): boolean => {
  const rows = new Set(left.map((line) => Math.round(line.v)));
  return right.every((line) => rows.has(Math.round(line.v)));
};

const byRow = (lines: readonly TextLine[]): TextLine[] =>
  [...lines].sort((one, other) =>
    Math.abs(one.v - other.v) < 0.3 * Math.min(one.size, other.size)
      ? one.start - other.start
      : other.v - one.v,
  );

/** Merges lines side by side on one baseline. */
function mergeRows(lines: readonly TextLine[]): TextLine[] {
  const merged: TextLine[] = [];
  for (const line of lines) {
    const previous = merged.at(-1);
    const gap = previous ? (line.start - previous.end) / line.size : 0;
    if (!previous || gap < 0 || Math.abs(previous.v - line.v) >= 0.3 * line.size) merged.push(line);
    else {
      const tabular = gap > CELL_GAP;
      merged[merged.length - 1] = {
        ...previous,
        text: `${previous.text}${tabular ? '\t' : ' '}${line.text}`,
        end: line.end,
        tabular: tabular || previous.tabular || line.tabular,
      };
    }
  }
  return merged;
}

const oneUpright = /^[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]$/;

/** Joins vertical text that was drawn character by character. */
function joinUpright(lines: readonly TextLine[]): TextLine[] {
  const joined: TextLine[] = [];
  let last: TextLine | undefined;
  for (const line of lines) {
    const column = joined.at(-1);
    const isBelow =
      last !== undefined &&
      column !== undefined &&
      oneUpright.test(last.text) &&
      oneUpright.test(line.text) &&
      Math.abs(last.start - line.start) < 0.6 * line.size &&
      last.v - line.v > 0.5 * line.size &&
      last.v - line.v < 1.5 * line.size;
    if (isBelow && column) joined[joined.length - 1] = { ...column, text: column.text + line.text };
    else joined.push(line);
    last = line;
  }
  return joined;
}
