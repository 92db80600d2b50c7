import { parseArgs } from 'node:util';
import { startInstallation } from '../table/installation.js';
import { keepUp, type Sample } from './load.js';
import { measureCapacity } from './measure-capacity.js';

/*
 * `npm run bench:soak -- --minutes 30 --share 0.7`: pages one by one at a share of what the machine can do, reads beside them, and a retrain
 * that begins again every half minute. Memory, latency, outbox and mailboxes must not grow: the last quarter stands beside the first.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '0.7' },
    /** Pages of the agent that is retrained again and again. */
    pages: { type: 'string', default: '300' },
  },
});

const SAMPLES = 40;
const ms = Number(values.minutes) * 60_000;

const installation = await startInstallation();
let samples: Sample[];
try {
  const capacity = await measureCapacity(installation);
  const perSecond = capacity * Number(values.share);
  console.log(`capacity ${capacity.toFixed(1)} pages a second; ${perSecond.toFixed(1)} are sent`);
  samples = await keepUp(installation, {
    perSecond,
    pages: Number(values.pages),
    ms,
    sampleMs: ms / SAMPLES,
    onSample: (sample) => console.log(JSON.stringify(sample)),
  });
} finally {
  await installation.close();
}

const quarter = Math.ceil(samples.length / 4);
const mean = (of: readonly Sample[], key: keyof Sample): number =>
  Math.round((of.reduce((sum, sample) => sum + sample[key], 0) / of.length) * 10) / 10;
const keys = Object.keys(samples[0] ?? {}) as (keyof Sample)[];
console.table(
  Object.fromEntries(
    keys.map((key) => [
      key,
      {
        'first quarter': mean(samples.slice(0, quarter), key),
        'last quarter': mean(samples.slice(-quarter), key),
      },
    ]),
  ),
);
