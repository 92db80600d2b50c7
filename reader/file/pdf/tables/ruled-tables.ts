import type { Dividers } from '../lines/dividers.js';
import type { Piece } from '../lines/piece.js';
import type { TextLine } from '../lines/text-lines.js';
import { withPosts } from './level-rules.js';
import { gridsOf, type Region, type RuledGrid, regionAt } from './ruled-grid.js';
import { ruledTable } from './ruled-rows.js';
import type { Rule, Rules } from './rules.js';
import { tableLine } from './table-line.js';
import type { Segment } from './table-rows.js';

/** Grids by text direction, in quarter turns. */
export type GridsByTurn = ReadonlyMap<number, readonly RuledGrid[]>;

/** Height of the middle of the letters above the baseline, in letter heights. */
const MIDDLE = 0.3;

/** Finds the grids for each text direction. */
export function gridsByTurn(rules: Rules, lines: readonly TextLine[]): GridsByTurn {
  const turns = new Set(lines.map(({ turn }) => turn));
  return new Map(
    [...turns].map((turn) => {
      const own = lines.filter((line) => line.turn === turn);
      return [turn, gridsOf(withPosts(turned(rules, turn), own))];
    }),
  );
}

/** Rotates lines into the coordinates of text with this direction. */
function turned({ across, upright }: Rules, turn: number): Rules {
  const mirror = ({ at, from, to }: Rule): Rule => ({ at, from: -to, to: -from });
  const negate = ({ at, from, to }: Rule): Rule => ({ at: -at, from, to });
  if (turn === 0) return { across, upright };
  if (turn === 1) return { across: upright.map(negate), upright: across.map(mirror) };
  if (turn === 2)
    return {
      across: across.map((rule) => negate(mirror(rule))),
      upright: upright.map((rule) => negate(mirror(rule))),
    };
  return { across: upright.map(mirror), upright: across.map(negate) };
}

/** Minimum length of a piece on both sides of a line that crosses it, in letter heights. */
const MIN_PART = 0.5;

/** Returns the lines between the regions of the grids as text dividers. */
export function dividersOf(grids: GridsByTurn): Dividers {
  return {
    areDivided: (one, other) =>
      grids.get(one.turn)?.some((grid) => regionOfPiece(one, grid) !== regionOfPiece(other, grid)) === true,
    within: ({ start, end, v, size, turn }) => {
      const at = (u: number, grid: RuledGrid) => regionAt(grid, u, v + MIDDLE * size);
      const margin = MIN_PART * size;
      return (grids.get(turn) ?? []).flatMap((grid) =>
        grid.xs.filter(
          (x) => x > start + margin && x < end - margin && at(x - margin, grid) !== at(x + margin, grid),
        ),
      );
    },
  };
}

const regionOfPiece = (
  { start, end, v, size }: Pick<Piece, 'start' | 'end' | 'v' | 'size'>,
  grid: RuledGrid,
) => regionAt(grid, (start + end) / 2, v + MIDDLE * size);

/** Replaces the text lines of each table with drawn lines by the table. */
export function withRuledTables(lines: readonly TextLine[], grids: GridsByTurn): readonly TextLine[] {
  let shown = lines;
  for (const [turn, ofTurn] of grids) for (const grid of ofTurn) shown = withTable(shown, turn, grid);
  return shown;
}

function withTable(lines: readonly TextLine[], turn: number, grid: RuledGrid): readonly TextLine[] {
  const inside = new Map<TextLine, Segment[]>();
  let order = 0;
  for (const line of lines) {
    if (line.turn !== turn || line.table !== undefined) continue;
    const segments = line.cells
      .map((cell) => ({ ...cell, line, order: order++ }))
      .filter((segment) => regionOf(segment, grid) !== null);
    if (segments.length > 0) inside.set(line, segments);
  }
  const segments = [...inside.values()].flat();
  const [first] = segments;
  const table = ruledTable(byRegion(segments, grid), grid);
  if (first === undefined || table === null) return lines;
  const replacement = tableLine(segments, first, table);
  return lines.flatMap((line) => {
    const own = inside.get(line);
    if (own === undefined) return [line];
    const shown = line === first.line ? [replacement] : [];
    const beside = line.cells.filter((cell) => !own.some(({ start }) => start === cell.start));
    const [left] = beside;
    if (left === undefined) return shown;
    const text = beside.map((cell) => cell.text).join('\t');
    return [
      { ...line, text, start: left.start, end: beside.at(-1)?.end ?? left.end, cells: beside },
      ...shown,
    ];
  });
}

const regionOf = ({ start, end, line }: Segment, grid: RuledGrid): Region | null =>
  regionOfPiece({ start, end, v: line.v, size: line.size }, grid);

function byRegion(segments: readonly Segment[], grid: RuledGrid): Map<Region, Segment[]> {
  const regions = new Map<Region, Segment[]>();
  for (const segment of segments) {
    const region = regionOf(segment, grid);
    if (region === null) continue;
    const own = regions.get(region);
    if (own === undefined) regions.set(region, [segment]);
    else own.push(segment);
  }
  return regions;
}
