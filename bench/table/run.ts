import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { httpRows } from './http-rows.js';
import { startInstallation } from './installation.js';
import { listRows } from './list-rows.js';
import { installPeers } from './peers.js';
import { processRows } from './process-rows.js';
import { type Line, markdown, svg } from './report.js';
import { retrainRows } from './retrain-rows.js';
import { startRows } from './start-rows.js';
import { taskRows } from './task-rows.js';

/*
 * `npm run bench` (after a build): Cadre beside its field, as a table and a plot in bench/results. Needs MySQL or MariaDB, RabbitMQ, Redis and
 * PostgreSQL; BENCH_MYSQL_URL and the like name them. `--quick` shows whether it runs, not how fast anything is.
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Comma-separated. */
    only: { type: 'string', default: 'http,tasks,retrain,processes,lists,start' },
    out: { type: 'string', default: 'bench/results' },
  },
});
const parts = values.only.split(',');
const scale = values.quick
  ? {
      rounds: 2,
      ms: 700,
      single: 200,
      bulk: 1000,
      latencies: 10,
      mixed: 200,
      sizes: [1000, 10_000],
      starts: 2,
    }
  : {
      rounds: 5,
      ms: 4000,
      single: 2000,
      bulk: 5000,
      latencies: 100,
      mixed: 1000,
      sizes: [1000, 100_000, 1_000_000],
      starts: 5,
    };

const began = Date.now();
const progress = (text: string) =>
  console.log(`${Math.round((Date.now() - began) / 1000)} s  ${text} (load ${loadavg()[0]?.toFixed(1)})`);

const problem = installPeers();
if (problem !== null) progress(problem);

const lines: Line[] = [];
const installation = await startInstallation();
try {
  if (parts.includes('http')) lines.push(...(await httpRows(installation, scale, progress)));
  if (parts.includes('tasks')) lines.push(...(await taskRows(installation, scale, progress)));
  if (parts.includes('retrain')) lines.push(...(await retrainRows(installation, scale, progress)));
  if (parts.includes('processes')) lines.push(...(await processRows(installation, scale, progress)));
  if (parts.includes('lists')) lines.push(...(await listRows(installation, scale, progress)));
} finally {
  await installation.close();
}
if (parts.includes('start')) lines.push(...(await startRows({ rounds: scale.starts }, progress)));

const table = {
  lines,
  settings: [
    `${new Date(began).toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, load average ${loadavg()[0]?.toFixed(1)} at the end`,
    `${values.quick ? '`--quick`: it shows whether the bench runs, not how fast anything is; ' : ''}${scale.rounds} rounds of ${scale.ms / 1000} s for requests, ${scale.single} tasks one by one, ${scale.bulk} in one job`,
    'the client runs on the same machine; a p99 is that of the median round',
  ],
};
mkdirSync(values.out, { recursive: true });
writeFileSync(`${values.out}/table.md`, markdown(table));
writeFileSync(`${values.out}/table.svg`, svg(table));
progress(`written to ${values.out}`);
