import { asked, type Shown } from '../../../client/answer-events.js';
import { noPerson, type PersonState } from './person-state.js';

/** A message in the panel. */
export interface Entry extends Shown {
  /** Idempotency key of a message that was sent from this page. */
  key?: string;
  /** The conversation named in the request with this key. */
  conversationId?: string | null;
  /** State of a message that the service has not stored yet. */
  delivery?: 'sending' | 'not-sent' | 'refused';
}

export interface TalkState {
  entries: Entry[];
  /** True while a message is being sent or an answer is being written. */
  isBusy: boolean;
  /** True while the service is unreachable and the page retries. */
  isWaiting: boolean;
  loading: 'no' | 'yes' | 'failed';
  /** Cursor of earlier messages. */
  cursor: string | null;
  /** Until this time (ms), the rate limit accepts no message. */
  limitedUntil: number | null;
  /** True if an action on a message, started by a button, has failed. */
  hasActionFailed: boolean;
  /** The person of the conversation. */
  person: PersonState;
  /** Messages of a person that arrived while the panel was closed. */
  unread: number;
}

/** The state before a conversation is loaded or begun. */
export const initialState = (initialMessages: readonly string[]): TalkState => ({
  entries: initialMessages.map((text) => ({ ...asked(text), role: 'assistant' })),
  isBusy: false,
  isWaiting: false,
  loading: 'no',
  cursor: null,
  limitedUntil: null,
  hasActionFailed: false,
  person: noPerson,
  unread: 0,
});
