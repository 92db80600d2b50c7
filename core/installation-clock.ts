import type { Clock } from './ports/clock.port.js';
import type { Log } from './ports/log.port.js';
import type { Store } from './ports/store/store.port.js';

export interface InstallationClock extends Clock {
  stop(): void;
}

/** Interval between samples. A quartz clock drifts by a few milliseconds in this time. */
const SYNC_MS = 30_000;
/** Round trips above this limit are slow. Half of the round trip is the maximum error of a sample. */
const SLOW_MS = 1000;
const MOST_LOOKS = 3;

/**
 * Returns one clock for all processes of an installation, synchronised with the database's clock. A lease, due time or
 * interval is written by one process and read by another, whose own clock may be off by minutes or change. Between two
 * samples, the monotonic clock is used.
 */
export async function startInstallationClock(
  store: Pick<Store, 'now'>,
  log: Log,
): Promise<InstallationClock> {
  let zero = await firstZero(store);
  const timer = setInterval(() => {
    const before = performance.now();
    zeroOf(store).then(
      (found) => {
        if (performance.now() - before < SLOW_MS) zero = found;
      },
      (error) => log.debug({ err: error }, 'could not read the database clock'),
    );
  }, SYNC_MS);
  timer.unref();
  return {
    now: () => Math.round(zero + performance.now()),
    stop: () => clearInterval(timer),
  };
}

/** Repeats a slow first sample a few times, because it is used until the next sync. */
async function firstZero(store: Pick<Store, 'now'>): Promise<number> {
  for (let looks = 1; ; looks += 1) {
    const before = performance.now();
    const zero = await zeroOf(store);
    if (performance.now() - before < SLOW_MS || looks === MOST_LOOKS) return zero;
  }
}

/** Database time, in Unix milliseconds, at which our monotonic clock was 0. */
async function zeroOf(store: Pick<Store, 'now'>): Promise<number> {
  const asked = performance.now();
  const then = await store.now();
  return then - (asked + performance.now()) / 2;
}
