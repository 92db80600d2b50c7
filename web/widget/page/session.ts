import { parsed } from './parsed.js';

/** A message that is being sent, with its idempotency key. */
export interface PendingMessage {
  key: string;
  text: string;
  /** A retry uses the same conversation, so that the request with the key is identical. */
  conversationId: string | null;
}

interface State {
  isTeaserDismissed: boolean;
  pending: PendingMessage | null;
}

export type Session = ReturnType<typeof createSession>;

/**
 * Keeps the tab's state across reloads: the dismissed teaser, and the message being sent, so that it is neither lost
 * nor sent twice. The host page stores the state, because browsers may block the storage of a frame.
 */
export function createSession(stored: string | null, onChange: (text: string) => void) {
  let state: State = { isTeaserDismissed: false, pending: null, ...parsed<State>(stored) };
  const set = (part: Partial<State>): void => {
    state = { ...state, ...part };
    onChange(JSON.stringify(state));
  };
  return {
    isTeaserDismissed: (): boolean => state.isTeaserDismissed,
    dismissTeaser: (): void => set({ isTeaserDismissed: true }),
    pending: (): PendingMessage | null => state.pending,
    keep: (pending: PendingMessage): void => set({ pending }),
    drop(): void {
      if (state.pending) set({ pending: null });
    },
  };
}
