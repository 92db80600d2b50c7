import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from '../figures.js';
import { agentWithPages, type BigJobs, retrainOver } from './big-jobs.js';
import { createCaller } from './caller.js';
import { ceaseFire, type FaultPlan, wreak } from './faults.js';
import { type Installation, siteOrigin } from './installation.js';
import { createLedger } from './ledger.js';
import { makeNoise } from './noise.js';
import { createRandom } from './random.js';
import { connectAccounts, followAddresses, writeToAccounts } from './social-load.js';
import type { Tally } from './tally.js';
import { type Broken, verifyByApi } from './verify-api.js';
import { verifyDatabase, workLeft } from './verify-database.js';
import { verifyLogs } from './verify-logs.js';
import { verifySocial } from './verify-social.js';
import { verifyQueues, verifyStorage } from './verify-storage.js';
import { visit } from './visitor.js';

export interface SiegePlan extends FaultPlan {
  seed: number;
  visitors: number;
  /** Number of people that write on the social platform at the same time. */
  socialVisitors: number;
  /** Pause of a visitor between two requests, in milliseconds. */
  pauseMs: number;
  /** Number of pages of the agent that is constantly retrained. */
  pages: number;
  /** Whether the broker traces: every event is duplicated, else some. */
  tracing: boolean;
  /** Longest time without a finished task after the last fault. */
  settleMs: number;
  progressMs: number;
}

export interface SiegeResult {
  /** Number of broken promises, by name. */
  broken: Broken;
  /** Descriptions of the broken promises. */
  wrong: string[];
  /** Milliseconds from the last fault until all work had ended. */
  settledMs: number;
  /** Resident MB of the APIs. */
  memory: { start: number; most: number; end: number };
  bigJobsEnded: number;
  agents: number;
  acknowledgedJobs: number;
  acknowledgedSources: number;
}

const LOOK_MS = 500;

/** Waits for all work as long as it makes progress. Returns false if work is left. */
async function settle(installation: Installation, patienceMs: number): Promise<boolean> {
  let least = Number.POSITIVE_INFINITY;
  let progressAt = Date.now();
  for (;;) {
    const left = await workLeft(installation);
    if (left === 0) return true;
    if (left < least) progressAt = Date.now();
    least = Math.min(least, left);
    if (Date.now() - progressAt > patienceMs) return false;
    await sleep(LOOK_MS);
  }
}

/** Runs load and faults together, then waits for rest and verifies. */
export async function besiege(
  installation: Installation,
  plan: SiegePlan,
  { folder, tally, log }: { folder: string; tally: Tally; log: (line: string) => void },
): Promise<SiegeResult> {
  const random = createRandom(plan.seed);
  const ledger = createLedger();
  const wrong = (what: string): void => {
    ledger.wrong.push(`${new Date().toISOString()} ${what}`);
    log(`WRONG ${what}`);
  };
  const callerFor = () => createCaller(installation, { tally, random: random.fork(), wrong });
  const apiMemory = (): number =>
    Math.max(
      ...installation.apis.map(({ process }) =>
        process === null ? 0 : Math.round(residentMb(process.pid) ?? 0),
      ),
    );

  const big: BigJobs = {
    agentId: await agentWithPages(installation, {
      name: 'big',
      pages: plan.pages,
      url: (n) => `${siteOrigin}/big/${n}`,
    }),
    jobs: [],
    ended: 0,
  };
  const social = await connectAccounts(callerFor(), installation.platform);
  const unfollow = followAddresses(installation);
  let fighting = true;
  const over = () => !fighting;
  const memory = { start: apiMemory(), most: 0, end: 0 };
  const began = Date.now();
  const progress = setInterval(() => {
    memory.most = Math.max(memory.most, apiMemory());
    const faults = tally
      .entries()
      .filter(([name]) => name.startsWith('faults: '))
      .map(([name, n]) => `${name.slice(8)} ${n}`);
    log(
      `${Math.round((Date.now() - began) / 1000)} s: ${tally.of('answers: 2xx')} requests done, ${big.ended} big jobs, ${ledger.wrong.length} wrong; ${faults.join(', ')}`,
    );
  }, plan.progressMs);

  const noise = makeNoise(installation, { tracing: plan.tracing, random: random.fork(), tally });
  const load = Promise.all([
    retrainOver(installation, { caller: callerFor(), over, big, pages: plan.pages }),
    ...Array.from({ length: plan.visitors }, (_, n) =>
      visit(n, { caller: callerFor(), ledger, random: random.fork(), pauseMs: plan.pauseMs, over }),
    ),
    ...Array.from({ length: plan.socialVisitors }, (_, n) =>
      writeToAccounts(n, { ledger: social, random: random.fork(), tally, over }),
    ),
  ]);
  await Promise.all([wreak(installation, plan, { random: random.fork(), tally, log }), sleep(plan.spanMs)]);
  await ceaseFire(installation);
  const lastFault = Date.now();
  log('all faults have ceased');
  fighting = false;
  // Calls that hang end, and echoes reach the processes that run now.
  installation.platform.heal();
  installation.platform.dropHanging();
  await load;
  await noise.stop();
  const settled = await settle(installation, plan.settleMs);
  const settledMs = Date.now() - lastFault;
  clearInterval(progress);
  unfollow();
  memory.end = apiMemory();
  memory.most = Math.max(memory.most, memory.end);
  const ended = settled ? 'all work has ended' : 'some work has not ended';
  log(`${ended} ${Math.round(settledMs / 1000)} s after the last fault; now it is counted`);

  for (const job of big.jobs) {
    const [row] = await installation.rows('SELECT status FROM jobs WHERE id = ?', [job.id]);
    job.status = String(row?.status);
  }
  const broken = {
    ...(await verifyByApi({ caller: callerFor(), ledger, tally }, big)),
    ...(await verifyDatabase(installation, wrong)),
    ...(await verifyStorage(installation, wrong)),
    ...(await verifySocial(installation, social, { tally, wrong })),
    ...(await verifyQueues(installation)),
    ...(await verifyLogs(join(folder, 'logs'), { tally, wrong })),
    'processes that crashed by themselves':
      tally.of('crashes of api processes') + tally.of('crashes of worker processes'),
  };
  const counted = Object.values(broken).reduce((sum, n) => sum + n, 0);
  return {
    broken: { ...broken, 'wrong answers': Math.max(0, ledger.wrong.length - counted) },
    wrong: ledger.wrong,
    settledMs,
    memory,
    bigJobsEnded: big.ended,
    agents: ledger.agents.length,
    acknowledgedJobs: ledger.agents.reduce((sum, { jobs }) => sum + jobs.size, big.jobs.length),
    acknowledgedSources: ledger.agents.reduce((sum, { lessons }) => sum + lessons.size, 0),
  };
}
