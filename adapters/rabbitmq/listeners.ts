/** What was seen so long ago is looked at again. */
const FRESH_MS = 1_000;
/** And so long ago, it tells nothing. */
const TRUSTED_MS = 3_000;

/**
 * Tells whether somebody listens to a queue, as was seen a moment ago. It waits for nobody: where it does not know it says no, and looks for
 * whoever asks next. `consumers` counts them, and rejects while the broker is away.
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
      // What was seen last grows old.
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
