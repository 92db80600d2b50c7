import { median, shown } from '../figures.js';
import type { Goal } from './goals.js';
import type { Line } from './line.js';
import type { Runs } from './results.js';

/** A goal and its result. */
export interface Verdict {
  goal: Goal;
  /** Value with its spread, or the reason why it is missing. */
  measured: string;
  /** At least 1 if the goal is met; null if nothing was measured. */
  reached: number | null;
  met: boolean | null;
}

/** By round, so that both values were measured within the same seconds. */
export const ratios = (own: readonly number[], other: readonly number[]): number[] =>
  own.flatMap((value, round) => {
    const base = other[round];
    return base === undefined || base === 0 ? [] : [value / base];
  });

export const withSpread = (values: readonly number[]): string =>
  values.length < 2
    ? shown(median(values))
    : `${shown(median(values))} (${shown(Math.min(...values))}–${shown(Math.max(...values))})`;

/** Not rounded up: a close miss must not look like success. */
const closeMiss = (value: number, { atLeast, atMost }: Goal): string => {
  if (atLeast !== undefined && value < atLeast && shown(value) === shown(atLeast)) return 'just under ';
  return atMost !== undefined && value > atMost && shown(value) === shown(atMost) ? 'just over ' : '';
};

const valuesOf = (line: Line | undefined, { of = 'values' }: Goal): number[] =>
  (of === 'p99' ? line?.p99 : line?.values) ?? [];

export function judged(goals: readonly Goal[], runs: Runs): Verdict[] {
  const lines = [...runs.values()].flatMap((run) => run.lines);
  const find = (what: string, who: string) => lines.find((line) => line.what === what && line.who === who);
  return goals.map((goal) => {
    const own = find(goal.what, goal.who ?? 'Cadre');
    const other = goal.beside === undefined ? undefined : find(goal.what, goal.beside);
    const ownValues = valuesOf(own, goal);
    const values = goal.beside === undefined ? ownValues : ratios(ownValues, valuesOf(other, goal));
    if (values.length === 0)
      return { goal, measured: (other ?? own)?.note ?? 'not measured', reached: null, met: null };
    const value = median(values);
    const reached = goal.atLeast === undefined ? (goal.atMost ?? 0) / value : value / goal.atLeast;
    const unit = goal.beside === undefined && goal.of !== 'p99' ? ` ${own?.unit}` : '';
    return {
      goal,
      measured: `${closeMiss(value, goal)}${withSpread(values)}${goal.of === 'p99' && goal.beside === undefined ? ' ms' : unit}`,
      reached,
      met: reached >= 1,
    };
  });
}
