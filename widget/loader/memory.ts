import type { Memory } from '../protocol.js';

/** Keeps the memory in storages of the host page; only in this page if `isKept` is false or a storage fails. */
export function createMemory(agentId: string, isKept: boolean) {
  const key = `cadre:${agentId}`;
  let memory = memoryOf({});
  let session: string | null = null;
  /** Storage throws where it is blocked, and when it is full. */
  const attempt = (use: () => void): void => {
    if (!isKept) return;
    try {
      use();
    } catch {
      // The memory of this page remains.
    }
  };
  attempt(() => {
    memory = memoryOf(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Memory>);
  });
  attempt(() => {
    session = textOrNull(sessionStorage.getItem(key));
  });
  const set = (next: Memory): void => {
    memory = memoryOf(next);
    attempt(() => {
      if (memory.renewal ?? memory.conversationId) localStorage.setItem(key, JSON.stringify(memory));
      else localStorage.removeItem(key);
    });
  };
  return {
    get: (): Memory => memory,
    set,
    session: (): string | null => session,
    setSession(text: string): void {
      session = textOrNull(text);
      attempt(() => sessionStorage.setItem(key, text));
    },
    forget(): void {
      set(memoryOf({}));
      session = null;
      attempt(() => sessionStorage.removeItem(key));
    },
  };
}

/** Maximum length in characters. Tokens have about 400, and escaped messages up to 24,000. */
const MAX_LENGTH = 32_768;

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_LENGTH ? value : null;

const memoryOf = ({ renewal, conversationId }: Partial<Memory>): Memory => ({
  renewal: textOrNull(renewal),
  conversationId: textOrNull(conversationId),
});
