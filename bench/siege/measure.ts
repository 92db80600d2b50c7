import { client } from '../../test/support/flows.js';
import { singlePageWaits } from './fairness.js';
import type { Installation } from './installation.js';
import { type Loss, recoveryTimes } from './recovery.js';
import { type Spread, spread } from './tally.js';

const rounds: [Loss, number][] = [
  ['killed', 25],
  ['hung', 8],
  ['cut off', 8],
];
const SINGLES = 50;

const goals: Record<string, (times: Spread) => boolean> = {
  killed: ({ p50, max }) => p50 < 1000 && max < 5000,
  hung: ({ max }) => max < 15_000,
  'cut off': ({ max }) => max < 15_000,
  'single page': ({ max }) => max < 2000,
};

/** Measures after the siege, at rest: milliseconds until a lost task runs again, and until a single page is fetched. */
export async function measure(installation: Installation, log: (line: string) => void): Promise<boolean> {
  const api = client(installation.apis[0].process?.baseUrl ?? '', installation.workspace.apiKey);
  const measured: Record<string, Spread> = {};
  for (const [loss, times] of rounds) {
    log(`workers are ${loss}, ${times} times`);
    measured[loss] = spread(await recoveryTimes(installation, { api, loss, rounds: times }));
  }
  log(`${SINGLES} single pages beside another agent's 5,000`);
  measured['single page'] = spread(await singlePageWaits(installation, { api, singles: SINGLES }));
  console.log(
    '\nMilliseconds until a lost task runs again, and until a single page is fetched beside 5,000 others',
  );
  console.table(
    Object.fromEntries(
      Object.entries(measured).map(([name, times]) => [
        name,
        { ...times, goal: goals[name]?.(times) ? 'met' : 'missed' },
      ]),
    ),
  );
  return Object.entries(measured).every(([name, times]) => goals[name]?.(times) ?? true);
}
