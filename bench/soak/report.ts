import { shown } from '../figures.js';
import type { Verdict } from '../table/judge.js';
import type { Line } from '../table/line.js';
import type { PartRun } from '../table/results.js';
import type { Sample } from './load.js';
import { soakWhat, watched } from './watched.js';

const keys = Object.keys(watched) as (keyof typeof watched)[];
const columns = ['acceptedPerSecond', 'endedPerSecond', 'tasksOpen', ...keys] as const;

/** Means of the last and of the first quarter. */
export function soakLines(samples: readonly Sample[]): Line[] {
  const quarter = Math.ceil(samples.length / 4);
  const mean = (of: readonly Sample[], key: keyof Sample) =>
    of.reduce((sum, sample) => sum + sample[key], 0) / of.length;
  return keys.flatMap((key) =>
    (
      [
        ['last quarter', samples.slice(-quarter)],
        ['first quarter', samples.slice(0, quarter)],
      ] as const
    ).map(([who, of]) => ({ what: soakWhat(key), unit: watched[key][1], who, values: [mean(of, key)] })),
  );
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
  const first = samples[0];
  const last = samples.at(-1);
  return [
    '# Under load for long',
    '',
    'Written by `npm run bench:soak`.',
    '',
    settings,
    '',
    growth.length === 0
      ? '**Nothing has grown.**'
      : `**It has grown, or is too much: ${growth.join('; ')}.**`,
    '',
    row(['What', 'First minutes', 'Last minutes']),
    row(['---', '---:', '---:']),
    ...keys.map((key) => row([watched[key].filter(Boolean).join(', '), at(first, key), at(last, key)])),
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

const at = (sample: Sample | undefined, key: keyof Sample): string =>
  sample === undefined ? '' : shown(sample[key]);
