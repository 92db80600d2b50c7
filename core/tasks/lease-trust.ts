/** Longest interval between two checks without a gap, in milliseconds. */
const GAP_MS = 5000;

export interface LeaseTrust {
  /** Returns whether a lease may be expired at this time, in milliseconds. */
  at(nowMs: number): boolean;
  /** Records a check: the time of its start, or of its end if its own work took long. */
  looked(nowMs: number): void;
}

/**
 * Trusts leases only after a whole lease (`leaseMs`) of checks without a gap. After a pause of this process or of the
 * database, heartbeats and results may still be in the queue, and holders of leases may have been paused, too.
 * @param listeningSinceMs Start of the first period without a gap; defaults to now
 */
export function createLeaseTrust(leaseMs: number, nowMs: number, listeningSinceMs = nowMs): LeaseTrust {
  let listeningSince = listeningSinceMs;
  let lastLookAt = nowMs;
  return {
    at(now) {
      // A clock that was set back also counts as a gap.
      if (Math.abs(now - lastLookAt) > GAP_MS) listeningSince = now;
      return now - listeningSince >= leaseMs;
    },
    looked(now) {
      lastLookAt = now;
    },
  };
}
