/** How old a reading may get before it is renewed. */
const FRESH_MS = 1_000;
/** A reading older than this counts as no reading. */
const TRUSTED_MS = 3_000;

/**
 * Whether somebody listens to a queue, as seen a moment ago. Does not wait: when it does not know, it says
 * no, and finds out for the next call. `consumers` counts them, and rejects while the broker is away.
 */
export function createListeners(
  consumers: () => Promise<number>,
  now: () => number = () => performance.now(),
): () => boolean {
  let seen = { some: false, atMs: Number.NEGATIVE_INFINITY };
  let looking = false;

  async function look(): Promise<void> {
    looking = true;
    const atMs = now();
    try {
      seen = { some: (await consumers()) > 0, atMs };
    } catch {
      // The last reading stays, until it is too old.
    } finally {
      looking = false;
    }
  }

  return () => {
    const ageMs = now() - seen.atMs;
    if (ageMs >= FRESH_MS && !looking) void look();
    return seen.some && ageMs < TRUSTED_MS;
  };
}
