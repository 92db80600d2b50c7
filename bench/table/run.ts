import { parseArgs } from 'node:util';
import { nodeArguments } from '../../test/support/entry.js';
import { goals } from './goals.js';
import { judged } from './judge.js';
import { full, quick } from './lengths.js';
import { parts } from './parts.js';
import { installPeers } from './peers.js';
import { markdown, section } from './report.js';
import { loadNow, partRun, readRuns, writeResults } from './results.js';

/*
 * `npm run bench [-- --only part of a name,…]` (after a build): compares Cadre with its peers, as a table in
 * bench/results. Parts that are not run keep their last values. Needs MySQL or MariaDB, RabbitMQ and Redis;
 * BENCH_MYSQL_URL and similar variables name them. `--quick` only checks that everything runs; it prints its values and
 * writes them only with `--out`.
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
});
const lengths = values.quick ? quick : full;
const out = values.out ?? (values.quick ? null : 'bench/results');
const wanted = parts.flatMap(({ name, title, measure }) =>
  measure !== null && values.only.split(',').some((part) => name.includes(part))
    ? [{ name, title, measure }]
    : [],
);
if (wanted.length === 0)
  throw new Error(`no part has such a name; there are ${parts.map(({ name }) => name).join(', ')}`);

if (nodeArguments('main').length > 1)
  throw new Error('sources are newer than what is built: run `npm run build` first');
const began = Date.now();
const progress = (text: string) =>
  console.log(`${Math.round((Date.now() - began) / 1000)} s  ${text} (load ${loadNow()})`);

const problem = installPeers();
if (problem !== null) progress(problem);

const runs = out === null ? new Map() : readRuns(out);
for (const part of wanted) {
  progress(part.title);
  const started = { at: new Date(), load: loadNow() };
  const lines = await part.measure(lengths, progress);
  const run = partRun(started, lengths, values.quick, lines);
  runs.set(part.name, run);
  console.log(`\n${section(part.title, run)}`);
  if (out === null) continue;
  const verdicts = judged(goals, runs);
  writeResults(out, runs, markdown(parts, runs, verdicts));
}
for (const { goal, measured, met } of judged(goals, runs))
  if (met !== null)
    console.log(`${met ? 'met   ' : 'MISSED'}  ${goal.title}: ${measured}, goal ${goal.shown}`);
progress(out === null ? 'done' : `written to ${out}`);
