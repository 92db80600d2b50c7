import { parsed } from './parsed.js';
import { Refusal, refusalOf } from './refusal.js';

/** State of a visitor that the host page stores. */
interface Memory {
  /** Token for renewing the token of an anonymous visitor. */
  renewal: string | null;
  conversationId: string | null;
  /**
   * Conversation of an identified user, kept while the visitor is anonymous until the page identifies the user again.
   */
  kept: string | null;
  /** Newest message that the visitor has seen while a person answers, or may come; null otherwise. */
  seen: string | null;
}

const nothing: Memory = { renewal: null, conversationId: null, kept: null, seen: null };

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const memoryOf = ({ renewal, conversationId, kept, seen }: Partial<Memory>): Memory => ({
  renewal: textOrNull(renewal),
  conversationId: textOrNull(conversationId),
  kept: textOrNull(kept),
  seen: textOrNull(seen),
});

/** Sends a request. Callers may count or limit requests. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface Identified {
  userId: string;
  /** The previously identified user; null if the visitor was anonymous. */
  previousUserId: string | null;
}

export interface Visitor {
  conversationId(): string | null;
  /** Also true for a kept conversation. */
  hasConversation(): boolean;
  remember(conversationId: string | null): void;
  /** Returns the newest message that the visitor has seen in a conversation with a person; null without one. */
  seen(): string | null;
  see(messageId: string | null): void;
  /** Returns the value for `authorization`. Requests a new token if there is none or it expires soon. */
  authorization(fetchWith: Fetch): Promise<string>;
  /** Drops a token that the service has refused. */
  dropToken(): void;
  /**
   * Switches to an identified visitor once the service has accepted the token. Forgets the conversation of an anonymous
   * visitor. Returns null if `identify` or `reset` was called again in the meantime.
   */
  identify(token: string): Promise<Identified | null>;
  /** Forgets the visitor and the conversation. */
  reset(): void;
}

interface VisitorOptions {
  agentId: string;
  /** Origin of the host page. */
  origin: string;
  memory: string | null;
  identity: string | null;
  onMemory(memory: string | null): void;
  /** Called when the identity has expired. The host should identify the visitor again. */
  onIdentityNeeded(): void;
}

interface Token {
  token: string;
  expiresAt: number;
  userId: string;
  /** Null for identified visitors. */
  renewal: string | null;
}

/** How long before expiry a token is renewed, in ms. */
const EARLY_MS = 20_000;
/** Time limit for the host to identify the visitor again, in ms. */
const IDENTITY_MS = 10_000;

/** Manages the token of this page's visitor. */
export function createVisitor(options: VisitorOptions): Visitor {
  let { identity } = options;
  let memory = memoryOf(parsed<Memory>(options.memory));
  let loading: Promise<Token> | null = null;
  let userId: string | null = null;
  /** The newest token passed to `identify`, accepted or not. */
  let wanted = identity;
  /** Replaced when the visitor changes, so that responses to an earlier visitor's requests are ignored. */
  let visitor = {};
  // Without a renewal token, the conversation belongs to an identified user.
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
    remember: (conversationId) =>
      set({ ...memory, conversationId, seen: conversationId === memory.conversationId ? memory.seen : null }),
    seen: () => memory.seen,
    see(messageId) {
      if (messageId !== memory.seen) set({ ...memory, seen: messageId });
    },
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
