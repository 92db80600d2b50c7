import { shown } from '../figures.js';
import type { Verdict } from '../table/judge.js';
import type { Line } from '../table/line.js';
import type { PartRun } from '../table/results.js';
import type { Sample } from './load.js';
import { soakWhat, watched } from './watched.js';

const keys = Object.keys(watched) as (keyof typeof watched)[];
const columns = ['acceptedPerSecond', 'endedPerSecond', 'tasksOpen', ...keys] as const;

/** Means of what is watched. */
export function soakLines(samples: readonly Sample[]): Line[] {
  return keys.flatMap((key) => {
    const { first, last } = quarters(samples, key);
    const [what, unit] = [soakWhat(key), watched[key][1]];
    return [
      { what, unit, who: 'last quarter', values: [last] },
      { what, unit, who: 'first quarter', values: [first] },
    ];
  });
}

/** Means of the first quarter of the time and of the last. */
function quarters(samples: readonly Sample[], key: keyof Sample): { first: number; last: number } {
  const count = Math.ceil(samples.length / 4);
  const mean = (of: readonly Sample[]) => of.reduce((sum, sample) => sum + sample[key], 0) / of.length;
  return { first: mean(samples.slice(0, count)), last: mean(samples.slice(-count)) };
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The verdict first, then every sample. */
export function page(
  { settings }: PartRun,
  verdicts: readonly Verdict[],
  samples: readonly Sample[],
): string {
  const judged = verdicts.filter(({ met }) => met !== null);
  const growth = judged.filter(({ met }) => met === false).map(({ goal }) => goal.title);
  return [
    '# Under load for long',
    '',
    'Written by `npm run bench:soak`.',
    '',
    settings,
    '',
    growth.length === 0
      ? '**No goal was missed.**'
      : `**It has grown, or is too much: ${growth.join('; ')}.**`,
    '',
    row(['Mean of', 'First quarter', 'Last quarter']),
    row(['---', '---:', '---:']),
    ...keys.map((key) => {
      const { first, last } = quarters(samples, key);
      return row([watched[key].filter(Boolean).join(', '), shown(first), shown(last)]);
    }),
    '',
    row(['Last quarter beside the first', 'Measured', 'Goal', '']),
    row(['---', '---:', '---:', '---']),
    ...judged.map(({ goal, measured, met }) =>
      row([goal.title, measured, goal.shown, met ? 'met' : '**missed**']),
    ),
    '',
    '## Every sample',
    '',
    row([
      'Minute',
      'Accepted a second',
      'Ended a second',
      'Tasks open',
      ...keys.map((key) => watched[key].filter(Boolean).join(', ')),
    ]),
    row(['---:', ...columns.map(() => '---:')]),
    ...samples.map((sample) => row([sample.minute.toFixed(1), ...columns.map((key) => shown(sample[key]))])),
    '',
  ].join('\n');
}
