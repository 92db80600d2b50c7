import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { goals } from '../table/goals.js';
import { startInstallation } from '../table/installation.js';
import { judged } from '../table/judge.js';
import { parts } from '../table/parts.js';
import { plot } from '../table/plot.js';
import { markdown } from '../table/report.js';
import { loadNow, machine, readRuns, writeResults } from '../table/results.js';
import { keepUp, type Sample } from './load.js';
import { measureCapacity } from './measure-capacity.js';
import { page, soakLines } from './report.js';

/*
 * `npm run bench:soak -- --minutes 30 --share 0.7`: pages one by one at a share of what the machine can do, reads beside them, and a retrain
 * that begins again every half minute. Memory, latency, outbox and mailboxes must not grow: the last quarter stands beside the first. It writes
 * soak.md and its rows of the table.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '0.7' },
    /** Pages of the agent that is retrained again and again. */
    pages: { type: 'string', default: '300' },
    out: { type: 'string', default: 'bench/results' },
  },
});

const SAMPLES = 40;
const ms = Number(values.minutes) * 60_000;
const started = { at: new Date(), load: loadNow() };

const installation = await startInstallation();
let samples: Sample[];
let perSecond: number;
try {
  const capacity = await measureCapacity(installation);
  perSecond = capacity * Number(values.share);
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

const run = {
  settings: `${machine(started)}. ${values.minutes} minutes at ${Number(values.share) * 100} % of capacity: ${perSecond.toFixed(1)} pages a second, reads beside them, and a retrain of ${values.pages} pages every half minute.`,
  lines: soakLines(samples),
};
const runs = readRuns(values.out).set('soak', run);
const verdicts = judged(goals, runs);
writeResults(values.out, runs, markdown(parts, runs, verdicts), plot(verdicts));
const text = page(run, judged(goals, new Map([['soak', run]])), samples);
writeFileSync(`${values.out}/soak.md`, text);
console.log(text);
