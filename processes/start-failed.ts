import { within } from '../core/fairness/time-limit.js';

/** The parts of a process that may refuse to start and are no plugins; `storage` if it cannot be claimed. */
export type Station = 'database' | 'storage' | 'address' | 'operationsAddress' | 'workerAddress';

/** A part that could not start; `cause` says why, in the words of whatever lies below. */
export class StartFailed extends Error {
  readonly station: Station;
  constructor(station: Station, cause: unknown) {
    super(`the ${station} could not be started`, { cause });
    this.name = 'StartFailed';
    this.station = station;
  }
}

/** Rejects with StartFailed when `start` rejects or throws. */
export async function starting<T>(station: Station, start: () => T | Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new StartFailed(station, error);
  }
}

/** Lets a start that fails half-way end what it had begun, and then reject as it did. */
export async function endingOnFailure(
  running: { stop(deadlineMs: number): Promise<void> },
  deadlineMs: number,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await start();
  } catch (error) {
    // What does not end now ends with the process. The first failure is the one to report.
    await within(deadlineMs, running.stop(deadlineMs)).catch(() => {});
    throw error;
  }
}
