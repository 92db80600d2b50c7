import { within } from '../fairness/time-limit.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Storage } from '../ports/storage.port.js';
import { storageOwner } from './installation-claim.js';

/*
 * API processes report in their storage that they are alive, because `installation adopt` runs with another database,
 * and must not take storage and queue from a running installation.
 */

/** Holds the time of the last report of each process, in Unix milliseconds. */
export const PROCESSES = 'installation/processes';
const REPORT_MS = 30_000;
/** A process that died without saying so counts as alive for this long. Tolerates two missing reports. */
export const ALIVE_MS = 90_000;

/** A storage that does not answer must not hold up the start or the end of the process. */
const PATIENCE_MS = 2000;

type Reports = Record<string, number>;
type Reporting = Pick<Storage, 'get' | 'put'>;

async function readReports(storage: Reporting, nowMs: number): Promise<Reports> {
  const text = (await storage.get(PROCESSES))?.toString() ?? '{}';
  // A report ahead of this clock counts: processes with different databases may have different clocks.
  return Object.fromEntries(Object.entries(parsed(text)).filter(([, at]) => nowMs - at < ALIVE_MS));
}

function parsed(text: string): Reports {
  try {
    return JSON.parse(text) as Reports;
  } catch {
    return {};
  }
}

export interface Presence {
  stop(): Promise<void>;
}

/** Returns the names of the API processes with this storage that are alive. */
export const aliveProcesses = async (storage: Reporting, nowMs: number): Promise<string[]> =>
  Object.keys(await readReports(storage, nowMs));

/** Deletes the reports of the installation from which the storage was adopted. */
export const forgetProcesses = (storage: Pick<Storage, 'put'>): Promise<void> =>
  storage.put(PROCESSES, Buffer.from('{}'));

/**
 * Reports this process as alive until it is stopped, while its installation has the storage. Two reports at the same
 * moment may overwrite each other: the next ones repair that.
 */
export async function startPresence(
  storage: Reporting,
  {
    installation,
    processName,
    clock,
    log,
  }: { installation: string; processName: string; clock: Clock; log: Log },
): Promise<Presence> {
  async function report(isAlive: boolean): Promise<void> {
    try {
      if ((await storageOwner(storage)) !== installation) return;
      const now = clock.now();
      const { [processName]: _, ...others } = await readReports(storage, now);
      const all = isAlive ? { ...others, [processName]: now } : others;
      await storage.put(PROCESSES, Buffer.from(JSON.stringify(all)));
    } catch (error) {
      log.debug({ err: error }, 'the storage does not show whether this process is alive');
    }
  }
  let last = report(true);
  const timer = setInterval(() => {
    last = last.then(() => report(true));
  }, REPORT_MS);
  timer.unref();
  await within(PATIENCE_MS, last);
  return {
    async stop() {
      clearInterval(timer);
      await within(
        PATIENCE_MS,
        last.then(() => report(false)),
      );
    },
  };
}
