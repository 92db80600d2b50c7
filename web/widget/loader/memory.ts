/** Keeps the texts of the frame in storages of the host page; only in this page if `isKept` is false or a storage fails. */
export function createMemory(agentId: string, isKept: boolean) {
  const key = `cadre:${agentId}`;
  const keep = (storageOf: () => Storage) => {
    let text: string | null = null;
    /** Storage throws where it is blocked, and when it is full. */
    const attempt = (use: (storage: Storage) => void): void => {
      if (!isKept) return;
      try {
        use(storageOf());
      } catch {
        // The text of this page remains.
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
    /** Of the visitor. */
    visitor: keep(() => localStorage),
    /** Of the tab. */
    session: keep(() => sessionStorage),
  };
}

/** Maximum length in characters. Tokens have about 400, and escaped messages up to 24,000. */
const MAX_LENGTH = 32_768;

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_LENGTH ? value : null;
