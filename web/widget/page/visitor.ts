import { parsed } from './parsed.js';
import { Refusal, refusalOf } from './refusal.js';

/** What the host page remembers of a visitor. */
interface Memory {
  /** Token that renews an anonymous visitor. */
  renewal: string | null;
  conversationId: string | null;
  /** Conversation of an identified user, while the visitor is anonymous until the page identifies the user again. */
  kept: string | null;
}

const nothing: Memory = { renewal: null, conversationId: null, kept: null };

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const memoryOf = ({ renewal, conversationId, kept }: Partial<Memory>): Memory => ({
  renewal: textOrNull(renewal),
  conversationId: textOrNull(conversationId),
  kept: textOrNull(kept),
});

/** Sends a request. Callers may count or limit them. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface Identified {
  userId: string;
  /** The identified user of before; null if the visitor was anonymous. */
  previousUserId: string | null;
}

export interface Visitor {
  conversationId(): string | null;
  /** Includes the kept conversation. */
  hasConversation(): boolean;
  remember(conversationId: string | null): void;
  /** Returns the value for `authorization`, with a new token if the current one is missing or expires soon. */
  authorization(fetchWith: Fetch): Promise<string>;
  /** Drops a token that the service refused. */
  dropToken(): void;
  /**
   * Switches to an identified visitor, once the service has accepted the token. A conversation of the anonymous one is
   * forgotten. Returns null if another call of `identify` or `reset` has followed.
   */
  identify(token: string): Promise<Identified | null>;
  /** Forgets the visitor and the conversation. */
  reset(): void;
}

interface VisitorOptions {
  agentId: string;
  /** Of the host page. */
  origin: string;
  memory: string | null;
  identity: string | null;
  onMemory(memory: string | null): void;
  /** The identity has expired. The host should identify the visitor again. */
  onIdentityNeeded(): void;
}

interface Token {
  token: string;
  expiresAt: number;
  userId: string;
  /** Null for identified visitors. */
  renewal: string | null;
}

/** Tokens are renewed this long before they expire, in ms. */
const EARLY_MS = 20_000;
/** Time for the host to identify the visitor again, in ms. */
const IDENTITY_MS = 10_000;

/** Holds the token of the visitor of this page. */
export function createVisitor(options: VisitorOptions): Visitor {
  let { identity } = options;
  let memory = memoryOf(parsed<Memory>(options.memory));
  let loading: Promise<Token> | null = null;
  let userId: string | null = null;
  /** The newest token to identify with, accepted or not. */
  let wanted = identity;
  /** Changes with the visitor, so that responses to requests of an earlier one are ignored. */
  let visitor = {};
  // Without a renewal token, the conversation is that of an identified user.
  if (identity === null && memory.renewal === null)
    memory = { ...memory, conversationId: null, kept: memory.conversationId };
  let onIdentity: (() => void) | null = null;

  const set = (next: Memory): void => {
    memory = next;
    options.onMemory(Object.values(memory).some(Boolean) ? JSON.stringify(memory) : null);
  };

  async function request(fetchWith: Fetch, who: { renewal?: string } | { identity: string }): Promise<Token> {
    const response = await fetchWith(`/widget/${options.agentId}/visitor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ origin: options.origin, ...who }),
    });
    if (!response.ok) throw await refusalOf(response);
    return (await response.json()) as Token;
  }

  async function load(fetchWith: Fetch): Promise<Token> {
    const { renewal } = memory;
    const asked = visitor;
    const token = await request(
      fetchWith,
      identity !== null ? { identity } : renewal !== null ? { renewal } : {},
    );
    if (asked !== visitor) return token;
    if (identity === null) set({ ...memory, renewal: token.renewal });
    else ({ userId } = token);
    return token;
  }

  async function loadOrIdentify(fetchWith: Fetch): Promise<Token> {
    try {
      return await load(fetchWith);
    } catch (thrown) {
      if (!isIdentityRefused(thrown)) throw thrown;
      const identified = new Promise<boolean>((resolve) => {
        onIdentity = () => resolve(true);
        setTimeout(resolve, IDENTITY_MS, false);
      });
      options.onIdentityNeeded();
      if (!(await identified)) throw thrown;
      return current(fetchWith, load);
    }
  }

  function current(fetchWith: Fetch, how: (fetchWith: Fetch) => Promise<Token>): Promise<Token> {
    if (loading) return loading;
    const started = how(fetchWith);
    loading = started;
    started.catch(() => {
      if (loading === started) loading = null;
    });
    return started;
  }

  return {
    conversationId: () => memory.conversationId,
    hasConversation: () => (memory.conversationId ?? memory.kept) !== null,
    remember: (conversationId) => set({ ...memory, conversationId }),
    async authorization(fetchWith) {
      let { token, expiresAt } = await current(fetchWith, loadOrIdentify);
      if (expiresAt * 1000 - EARLY_MS < Date.now()) {
        loading = null;
        ({ token } = await current(fetchWith, loadOrIdentify));
      }
      return `Bearer ${token}`;
    },
    dropToken() {
      loading = null;
    },
    async identify(token) {
      wanted = token;
      const accepted = await request(fetch.bind(window), { identity: token });
      if (wanted !== token) return null;
      const previousUserId = userId;
      const wasAnonymous = identity === null;
      ({ userId } = accepted);
      identity = token;
      loading = Promise.resolve(accepted);
      visitor = {};
      if (wasAnonymous) set({ ...nothing, conversationId: memory.kept });
      else if (previousUserId !== null && previousUserId !== userId) set({ ...memory, conversationId: null });
      onIdentity?.();
      return { userId, previousUserId };
    },
    reset() {
      identity = null;
      wanted = null;
      userId = null;
      loading = null;
      visitor = {};
      set(nothing);
    },
  };
}

const isIdentityRefused = (thrown: unknown): boolean =>
  thrown instanceof Refusal && thrown.status === 400 && thrown.fieldErrors.identity !== undefined;
