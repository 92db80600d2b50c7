/**
 * Stores texts of the frame in the host page's storage. Keeps them only in memory if `isKept` is false or the storage
 * fails.
 */
export function createMemory(agentId: string, isKept: boolean) {
  const key = `cadre:${agentId}`;
  const keep = (storageOf: () => Storage) => {
    let text: string | null = null;
    /** Storage throws if it is blocked or full. */
    const attempt = (use: (storage: Storage) => void): void => {
      if (!isKept) return;
      try {
        use(storageOf());
      } catch {
        // The text is still kept in memory.
      }
    };
    attempt((storage) => {
      text = textOrNull(storage.getItem(key));
    });
    return {
      get: (): string | null => text,
      set(next: unknown): void {
        text = textOrNull(next);
        attempt((storage) => (text === null ? storage.removeItem(key) : storage.setItem(key, text)));
      },
    };
  };
  return {
    /** Kept for the visitor. */
    visitor: keep(() => localStorage),
    /** Kept for the tab. */
    session: keep(() => sessionStorage),
  };
}

/** Maximum length in characters. Tokens have about 400 characters, escaped messages up to 24,000. */
const MAX_LENGTH = 32_768;

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_LENGTH ? value : null;
