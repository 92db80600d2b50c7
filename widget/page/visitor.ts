import type { Memory } from '../protocol.js';
import { Refusal, refusalOf } from './refusal.js';

/** Sends a request. Callers may count or limit them. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface Visitor {
  conversationId(): string | null;
  remember(conversationId: string | null): void;
  /** Returns the value for `authorization`, with a new token if the current one is missing or expires soon. */
  authorization(fetchWith: Fetch): Promise<string>;
  /** Drops a token that the service refused. */
  dropToken(): void;
  /** Switches to an identified visitor. A conversation of the anonymous one is forgotten. */
  identify(token: string): Promise<{ userId: string }>;
  /** Forgets the visitor and the conversation. */
  reset(): void;
}

interface VisitorOptions {
  agentId: string;
  /** Of the host page. */
  origin: string;
  memory: Memory;
  identity: string | null;
  onMemory(memory: Memory): void;
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
  let { memory, identity } = options;
  let loading: Promise<Token> | null = null;
  let onIdentity: (() => void) | null = null;

  const set = (next: Memory): void => {
    memory = next;
    options.onMemory(memory);
  };
  /** An anonymous conversation does not belong to the identified visitor. */
  const forgetAnonymous = (): void => {
    if (identity !== null && memory.renewal !== null) set({ renewal: null, conversationId: null });
  };

  async function load(fetchWith: Fetch): Promise<Token> {
    const who = identity === null ? { renewal: memory.renewal ?? undefined } : { identity };
    const response = await fetchWith(`/widget/${options.agentId}/visitor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ origin: options.origin, ...who }),
    });
    if (!response.ok) throw await refusalOf(response);
    const token = (await response.json()) as Token;
    if (identity === null) set({ ...memory, renewal: token.renewal });
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
      return load(fetchWith);
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

  forgetAnonymous();
  return {
    conversationId: () => memory.conversationId,
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
      const previous = { identity, loading };
      identity = token;
      loading = null;
      try {
        const { userId } = await current(fetch.bind(window), load);
        forgetAnonymous();
        onIdentity?.();
        return { userId };
      } catch (thrown) {
        if (identity === token) ({ identity, loading } = previous);
        throw thrown;
      }
    },
    reset() {
      identity = null;
      loading = null;
      set({ renewal: null, conversationId: null });
    },
  };
}

const isIdentityRefused = (thrown: unknown): boolean =>
  thrown instanceof Refusal && thrown.status === 400 && thrown.fieldErrors.identity !== undefined;
