/** Looks that lie further apart than this have missed something. */
const GAP_MS = 5000;

export interface LeaseTrust {
  /** Whether the end of a lease can be believed at this moment, in ms. */
  at(nowMs: number): boolean;
  /** A look is over. Its moment is when it began, or, where its own work took long, when it ended. */
  looked(nowMs: number): void;
}

/**
 * Leases are believed only after we have listened for a whole one (`leaseMs`) without a gap: after a pause of
 * ours, or of the database, signs of life and results may still wait in the queue.
 */
export function createLeaseTrust(leaseMs: number, nowMs: number): LeaseTrust {
  let listeningSince = nowMs;
  let lastLookAt = nowMs;
  return {
    at(now) {
      // A clock that was set back is a gap, too.
      if (Math.abs(now - lastLookAt) > GAP_MS) listeningSince = now;
      return now - listeningSince >= leaseMs;
    },
    looked(now) {
      lastLookAt = now;
    },
  };
}
