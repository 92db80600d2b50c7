import { within } from '../core/fairness/time-limit.js';

/** Parts of a process other than plugins that may fail to start. `storage`: it cannot be claimed. */
export type Station = 'database' | 'storage' | 'address' | 'operationsAddress' | 'workerAddress';

/** A part could not start. `cause` is the original error. */
export class StartFailed extends Error {
  readonly station: Station;
  constructor(station: Station, cause: unknown) {
    super(`the ${station} could not be started`, { cause });
    this.name = 'StartFailed';
    this.station = station;
  }
}

/** Runs `start`. Rejects with StartFailed if it rejects or throws. */
export async function starting<T>(station: Station, start: () => T | Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new StartFailed(station, error);
  }
}

/** Runs `start`. If it fails, stops the started parts and rethrows the error. */
export async function endingOnFailure(
  running: { stop(deadlineMs: number): Promise<void> },
  deadlineMs: number,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await start();
  } catch (error) {
    // Ignore a failure of the stop: the remaining parts end with the process.
    await within(deadlineMs, running.stop(deadlineMs)).catch(() => {});
    throw error;
  }
}
