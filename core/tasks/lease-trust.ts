/** A longer interval between two checks counts as a gap, in milliseconds. */
const GAP_MS = 5000;

export interface LeaseTrust {
  /** Returns whether leases may expire at this time, in Unix milliseconds. */
  at(nowMs: number): boolean;
  /** Records a check. Pass the time of its start, or of its end if the check itself took long. */
  looked(nowMs: number): void;
}

/**
 * Trusts expired leases only after checks without a gap for one lease time (`leaseMs`). After a pause of this process
 * or of the database, heartbeats and results may still be in the queue, and the workers may have been paused, too.
 * @param listeningSinceMs Start of the first period without a gap; defaults to now
 */
export function createLeaseTrust(leaseMs: number, nowMs: number, listeningSinceMs = nowMs): LeaseTrust {
  let listeningSince = listeningSinceMs;
  let lastLookAt = nowMs;
  return {
    at(now) {
      // A clock that was set back also counts as a gap, so compare the absolute difference.
      if (Math.abs(now - lastLookAt) > GAP_MS) listeningSince = now;
      return now - listeningSince >= leaseMs;
    },
    looked(now) {
      lastLookAt = now;
    },
  };
}
