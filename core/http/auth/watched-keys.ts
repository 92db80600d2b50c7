/** Open streams by the Authorization header of their requests. They end when the key is no longer accepted. */
export interface WatchedKeys {
  /** Calls `end` once the key is not accepted. Returns a function that stops watching. */
  watch(authorization: string, end: () => void): () => void;
  /** Looks up every watched key once, and ends the streams of rejected keys. */
  check(): Promise<void>;
}

/** `isAccepted` looks the key up, and rejects if the look-up fails. */
export function createWatchedKeys(isAccepted: (authorization: string) => Promise<boolean>): WatchedKeys {
  const streams = new Map<string, Set<() => void>>();

  async function checkOne(authorization: string): Promise<void> {
    if (await isAccepted(authorization)) return;
    for (const end of streams.get(authorization) ?? []) end();
  }

  return {
    watch(authorization, end) {
      const open = streams.get(authorization) ?? new Set();
      streams.set(authorization, open.add(end));
      return () => {
        open.delete(end);
        if (open.size === 0 && streams.get(authorization) === open) streams.delete(authorization);
      };
    },
    async check() {
      await Promise.all([...streams.keys()].map(checkOne));
    },
  };
}
