import { within } from '../fairness/time-limit.js';
import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Storage } from '../ports/storage.port.js';
import { storageOwner } from './installation-claim.js';

/*
 * Each API process writes heartbeats to its storage. `installation adopt`, which runs with another database, reads
 * them, so that it does not take storage and queue from a running installation.
 */

/** Path of the storage object with the time of each process's last heartbeat, in Unix milliseconds. */
export const PROCESSES = 'installation/processes';
const REPORT_MS = 30_000;
/** Age at which a heartbeat expires, in milliseconds. Two missing heartbeats are tolerated. */
export const ALIVE_MS = 90_000;

/** Maximum time that a slow storage delays the start and the stop of the process, in milliseconds. */
const TIMEOUT_MS = 2000;

type Reports = Record<string, number>;
type Reporting = Pick<Storage, 'get' | 'put'>;

async function readReports(storage: Reporting, nowMs: number): Promise<Reports> {
  const text = (await storage.get(PROCESSES))?.toString() ?? '{}';
  // A heartbeat in the future counts as alive, because processes with different databases may have different clocks.
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

/** Returns the names of the running API processes with this storage. */
export const aliveProcesses = async (storage: Reporting, nowMs: number): Promise<string[]> =>
  Object.keys(await readReports(storage, nowMs));

/** Deletes the heartbeats of the storage's previous installation. */
export const forgetProcesses = (storage: Pick<Storage, 'put'>): Promise<void> =>
  storage.put(PROCESSES, Buffer.from('{}'));

/**
 * Writes heartbeats of this process until it stops, while its installation has the storage. Two processes that write
 * at the same moment may overwrite each other; the next heartbeat repairs that.
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
      log.debug({ err: error }, 'could not write the heartbeat of this process to the storage');
    }
  }
  let last = report(true);
  const timer = setInterval(() => {
    last = last.then(() => report(true));
  }, REPORT_MS);
  timer.unref();
  await within(TIMEOUT_MS, last);
  return {
    async stop() {
      clearInterval(timer);
      await within(
        TIMEOUT_MS,
        last.then(() => report(false)),
      );
    },
  };
}
