import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, type SiegeArguments } from './arguments.js';
import { type Engine, ProgramMissing } from './engines/engine.js';
import { startMariadb } from './engines/mariadb.js';
import { startRabbitmq } from './engines/rabbitmq.js';
import { type Installation, startInstallation } from './installation.js';
import { measure } from './measure.js';
import { report } from './report.js';
import { besiege } from './siege.js';
import { createTally } from './tally.js';

/* `npm run bench:siege`: see `--help`. */

const MINUTE_MS = 60_000;
const VISITORS = 6;
const SOCIAL_VISITORS = 3;
const PAGES = 1000;
/** Minutes of siege per stop and start of each engine. */
const MINUTES_PER_OUTAGE = 4;

async function run({ minutes, kills, seed, measure: wanted }: SiegeArguments): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-siege-'));
  const tally = createTally();
  const began = Date.now();
  const log = (line: string): void =>
    console.log(`[${((Date.now() - began) / 1000).toFixed(0).padStart(5)}] ${line}`);
  const engines: Engine[] = [];
  const owned = async (engine: Promise<Engine>): Promise<Engine> => {
    engines.push(await engine);
    return engine;
  };
  log(`seed ${seed}; data and logs in ${folder}`);
  let good = false;
  let installation: Installation | null = null;
  const clear = async (): Promise<void> => {
    await installation?.close();
    for (const engine of engines) await engine.stop('kill');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void clear().finally(() => process.exit(1)));
  try {
    const [database, queue] = await Promise.all([
      owned(startMariadb(join(folder, 'mariadb'))),
      owned(startRabbitmq(join(folder, 'rabbitmq'))),
    ]);
    installation = await startInstallation({
      databaseUrl: database.url,
      amqpUrl: queue.url,
      prefix: 'siege',
      folder,
      tally,
    });
    const result = await besiege(
      installation,
      {
        seed,
        spanMs: minutes * MINUTE_MS,
        kills,
        longestHangMs: 20_000,
        engines: { database, queue },
        outages: Math.max(1, Math.round(minutes / MINUTES_PER_OUTAGE)),
        visitors: VISITORS,
        socialVisitors: SOCIAL_VISITORS,
        pauseMs: 150,
        pages: PAGES,
        tracing: true,
        settleMs: 2 * MINUTE_MS,
        progressMs: 30_000,
      },
      { folder, tally, log },
    );
    good = report(result, tally);
    if (wanted) good = (await measure(installation, log)) && good;
  } finally {
    await clear();
    if (good) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    else log(`what the processes wrote is in ${folder}`);
  }
  return good;
}

const wanted = readArguments(process.argv.slice(2));
if (wanted !== null) {
  try {
    process.exit((await run(wanted)) ? 0 : 1);
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
