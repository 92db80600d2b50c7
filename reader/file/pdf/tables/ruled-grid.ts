import type { Rule, Rules } from './rules.js';

/** A region of the grid: cells without a line between them. */
export interface Region {
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

/** The cells of a table, as divided by drawn lines. */
export interface RuledGrid {
  /** Positions of the column edges, from the left. */
  xs: readonly number[];
  /** Positions of the row edges, from the top. */
  ys: readonly number[];
  /** Regions by row and column. */
  regions: readonly (readonly Region[])[];
}

/** Lines within this distance are the same line, in points. Borders of neighbouring cells may be drawn separately. */
const NEAR = 3.5;
/** Minimum height of a row, and width of a column, whose outer line is not drawn. In points. */
const MIN_CELL = 6;
const MAX_COLUMNS = 50;
const MAX_ROWS = 500;
/** Maximum lines after joining. A page with more is a drawing. */
const MAX_RULES = 2_000;

/** Returns the grids with at least two columns that touching lines form, smallest first. */
export function gridsOf(rules: Rules): RuledGrid[] {
  const across = joined(rules.across);
  const upright = joined(rules.upright);
  if (across.length + upright.length > MAX_RULES) return [];
  return touching(across, upright)
    .map(gridOf)
    .filter((grid) => grid !== null)
    .sort((one, other) => areaOf(one) - areaOf(other));
}

/** Returns the region at a point; null outside the grid. */
export function regionAt({ xs, ys, regions }: RuledGrid, u: number, v: number): Region | null {
  const row = ys.findIndex((y) => y < v) - 1;
  const column = xs.findIndex((x) => x > u) - 1;
  return regions[row]?.[column] ?? null;
}

const areaOf = ({ xs, ys }: RuledGrid): number =>
  ((xs.at(-1) ?? 0) - (xs[0] ?? 0)) * ((ys[0] ?? 0) - (ys.at(-1) ?? 0));

/** Joins lines that continue or overlap each other. */
function joined(rules: readonly Rule[]): Rule[] {
  const groups: Rule[][] = [];
  for (const rule of [...rules].sort((one, other) => one.at - other.at)) {
    const group = groups.at(-1);
    if (group !== undefined && rule.at - (group[0]?.at ?? 0) <= NEAR) group.push(rule);
    else groups.push([rule]);
  }
  return groups.flatMap((group) => {
    const at = group.reduce((sum, rule) => sum + rule.at, 0) / group.length;
    const parts: Rule[] = [];
    for (const { from, to } of group.sort((one, other) => one.from - other.from)) {
      const last = parts.at(-1);
      if (last !== undefined && from - last.to <= NEAR) last.to = Math.max(last.to, to);
      else parts.push({ at, from, to });
    }
    return parts;
  });
}

/** Groups lines that touch or cross each other. */
function touching(across: readonly Rule[], upright: readonly Rule[]): Rules[] {
  const groups: Rules[] = [];
  const left = new Set(upright);
  const waiting = new Set(across);
  for (const first of across) {
    if (!waiting.delete(first)) continue;
    const group: Rules = { across: [first], upright: [] };
    for (const level of group.across) {
      for (const post of left) {
        if (!touch(level, post)) continue;
        left.delete(post);
        group.upright.push(post);
        for (const other of waiting) {
          if (touch(other, post) && waiting.delete(other)) group.across.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

const touch = (level: Rule, post: Rule): boolean =>
  covers(level, post.at, NEAR) && covers(post, level.at, NEAR);

const covers = ({ from, to }: Rule, at: number, range: number): boolean =>
  at >= from - range && at <= to + range;

function gridOf({ across, upright }: Rules): RuledGrid | null {
  const xs = edgesOf(upright, across);
  const ys = edgesOf(across, upright).reverse();
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 2 || rows < 1 || columns > MAX_COLUMNS || rows > MAX_ROWS) return null;
  const middles = (edges: readonly number[]) =>
    edges.slice(1).map((edge, i) => (edge + (edges[i] ?? edge)) / 2);
  const isCut = (rules: readonly Rule[], edges: readonly number[], between: readonly number[]) =>
    edges.map((edge) => {
      const own = rules.filter(({ at }) => at === edge);
      return between.map((middle) => own.some((rule) => covers(rule, middle, 0)));
    });
  const cutAt = isCut(upright, xs, middles(ys));
  const cutBelow = isCut(across, ys, middles(xs));
  return { xs, ys, regions: regionsOf(rows, columns, cutAt, cutBelow) };
}

/** Returns the positions of the lines, and the ends of crossing lines that extend further. */
function edgesOf(rules: readonly Rule[], crossing: readonly Rule[]): number[] {
  const edges = [...new Set(rules.map(({ at }) => at))].sort((one, other) => one - other);
  const from = crossing.reduce((least, rule) => Math.min(least, rule.from), Number.POSITIVE_INFINITY);
  const to = crossing.reduce((most, rule) => Math.max(most, rule.to), Number.NEGATIVE_INFINITY);
  const [first = to, last = from] = [edges[0], edges.at(-1)];
  if (from < first - MIN_CELL) edges.unshift(from);
  if (to > last + MIN_CELL) edges.push(to);
  return edges;
}

/**
 * Returns the regions. `cutAt[column][row]` is true if there is a line on the left of the cell, `cutBelow[row][column]`
 * if there is one at its top.
 */
function regionsOf(
  rows: number,
  columns: number,
  cutAt: readonly (readonly boolean[])[],
  cutBelow: readonly (readonly boolean[])[],
): Region[][] {
  const regions: Region[][] = Array.from({ length: rows }, () => []);
  const open: [row: number, column: number][] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (regions[row]?.[column] !== undefined) continue;
      const region: Region = { row, lastRow: row, column, lastColumn: column };
      open.push([row, column]);
      for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
        const [y, x] = cell;
        const cells = regions[y];
        if (cells === undefined || y < 0 || x < 0 || x >= columns || cells[x] !== undefined) continue;
        cells[x] = region;
        region.row = Math.min(region.row, y);
        region.lastRow = Math.max(region.lastRow, y);
        region.column = Math.min(region.column, x);
        region.lastColumn = Math.max(region.lastColumn, x);
        if (x > 0 && cutAt[x]?.[y] === false) open.push([y, x - 1]);
        if (cutAt[x + 1]?.[y] === false) open.push([y, x + 1]);
        if (y > 0 && cutBelow[y]?.[x] === false) open.push([y - 1, x]);
        if (cutBelow[y + 1]?.[x] === false) open.push([y + 1, x]);
      }
    }
  }
  return regions;
}
