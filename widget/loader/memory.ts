import type { Memory } from '../protocol.js';

/** Keeps the memory in a storage of the host page; only in this page if `isKept` is false or the storage fails. */
export function createMemory(agentId: string, isKept: boolean) {
  const key = `cadre:${agentId}`;
  let memory: Memory = { renewal: null, conversationId: null };
  let session: string | null = null;
  if (isKept)
    attempt(() => {
      const { renewal, conversationId } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Memory>;
      memory = { renewal: textOrNull(renewal), conversationId: textOrNull(conversationId) };
    });
  attempt(() => {
    session = textOrNull(sessionStorage.getItem(key));
  });
  return {
    get: (): Memory => memory,
    set({ renewal, conversationId }: Memory): void {
      memory = { renewal: textOrNull(renewal), conversationId: textOrNull(conversationId) };
      if (!isKept) return;
      attempt(() => {
        if (memory.renewal === null && memory.conversationId === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(memory));
      });
    },
    session: (): string | null => session,
    setSession(text: string): void {
      session = textOrNull(text);
      if (isKept) attempt(() => sessionStorage.setItem(key, text));
    },
  };
}

/** Maximum length in characters. Tokens have about 400, and escaped messages up to 24,000. */
const MAX_LENGTH = 32_768;

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_LENGTH ? value : null;

/** Storage throws where it is blocked, and when it is full. */
function attempt(use: () => void): void {
  try {
    use();
  } catch {
    // The memory of this page remains.
  }
}
