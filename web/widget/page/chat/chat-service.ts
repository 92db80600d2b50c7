import type { ContactField } from '../../../../core/agent-settings/handover-settings.js';
import type { AnswerEvent, Message } from '../../../client/answer-events.js';
import { type AnswerConnection, answerEvents } from '../../../client/answer-stream.js';
import { isTemporary, Refusal } from '../refusal.js';
import type { Fetch } from '../visitor.js';
import { isOpen, type PersonState } from './person-state.js';
import type { VisitorRequests } from './visitor-requests.js';

/** A request for an answer: a new message, or the message to answer again. */
export type Question = { message: string } | { messageId: string };

export interface Attempt {
  /** Idempotency key. A message that is sent repeatedly with the same key is stored once. */
  key: string;
  signal: AbortSignal;
  /** Called with true when the service becomes unreachable, and with false when it responds again. */
  onWaiting(waiting: boolean): void;
}

export interface Messages {
  messages: Message[];
  /** Cursor of earlier messages. */
  cursor: string | null;
  /** Absent with earlier messages. */
  person?: Pick<PersonState, 'state' | 'person'>;
  /** Position of the conversation's last event. */
  position?: string;
}

/** An earlier conversation of the visitor. */
export interface Earlier {
  id: string;
  title: string | null;
  updatedAt: number;
}

/** What a visitor enters into the form of the agent. */
export type ContactDetails = Partial<Record<ContactField, string>> & { consent: boolean };

/** Operations of the service that the chat needs. The preview simulates them. */
export interface ChatService {
  /** For parts that are loaded later; null in the preview. */
  requests: VisitorRequests | null;
  answer(question: Question, conversationId: string | null, attempt: Attempt): AsyncGenerator<AnswerEvent>;
  /** Streams the running answer of a conversation from its start. */
  running(conversationId: string, attempt: Omit<Attempt, 'key'>): AsyncGenerator<AnswerEvent>;
  /** Returns the newest messages, or the messages before a cursor. */
  messages(conversationId: string, cursor: string | null): Promise<Messages>;
  message(conversationId: string, messageId: string): Promise<Message>;
  stop(conversationId: string): Promise<void>;
  /** An undefined comment stays as it is. */
  rate(
    conversationId: string,
    messageId: string,
    feedback: Message['feedback'],
    comment?: string,
  ): Promise<void>;
  /** Whether a person answers the conversation, or may come. */
  hasPerson(conversationId: string): Promise<boolean>;
  /** Returns the visitor's newest conversations. */
  conversations(): Promise<Earlier[]>;
  /** Sends contact details. Details that are sent repeatedly with the same key are stored once. */
  leaveContact(conversationId: string, details: ContactDetails, key: string): Promise<void>;
}

/** Pauses before a message is sent again, in ms. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000];
/** Time in ms after which an unconfirmed message is shown as not sent. */
const GIVE_UP_MS = 60_000;
/** Maximum requests for one message, so that a fault cannot cause endless costs. */
const MAX_REQUESTS = 8;

export function createChatService(requests: VisitorRequests): ChatService {
  const { base, pathOf, send, post } = requests;

  function connection(
    { signal, onWaiting }: Omit<Attempt, 'key'>,
    start: (fetchWith: Fetch) => Promise<Response>,
  ): AnswerConnection {
    let requests = 0;
    let failingSince: number | null = null;
    const limited: Fetch = (url, init) => {
      requests += 1;
      if (requests > MAX_REQUESTS) throw new TooManyRequests();
      return fetch(url, { ...init, signal });
    };
    const reached = (response: Response): Response => {
      onWaiting(false);
      return response;
    };
    return {
      start: async () => reached(await start(limited)),
      resume: async (conversationId, lastEventId) =>
        reached(
          await send(
            pathOf(conversationId, 'stream'),
            { headers: { 'last-event-id': lastEventId } },
            limited,
          ),
        ),
      isFinal: (thrown) => signal.aborted || !isTemporary(thrown),
      async beforeRetry(failures, thrown) {
        if (failures === 1) failingSince = Date.now();
        const asked = thrown instanceof Refusal ? thrown.retryAfterMs : null;
        const pause = asked ?? PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0;
        if (Date.now() + pause > (failingSince ?? Date.now()) + GIVE_UP_MS)
          throw thrown ?? new TypeError('cut');
        onWaiting(true);
        await pauseOrOnline(pause, signal);
      },
    };
  }

  const page = async (path: string): Promise<Messages> => {
    const body = (await (await send(path)).json()) as {
      messages?: Message[];
      data?: Message[];
      state?: PersonState['state'];
      person?: { name: string } | null;
      position?: string;
      pagination: { cursor: string | null };
    };
    const { state, person, position } = body;
    return {
      messages: body.messages ?? body.data ?? [],
      cursor: body.pagination.cursor,
      ...(state === undefined ? {} : { person: { state, person: person?.name ?? null } }),
      ...(position === undefined ? {} : { position }),
    };
  };

  return {
    requests,
    answer(question, conversationId, { key, ...attempt }) {
      const headers = { 'idempotency-key': key };
      const isRetry = 'messageId' in question && conversationId !== null;
      const path = isRetry ? pathOf(conversationId, 'retry') : `${base}/chat`;
      const body = isRetry
        ? question
        : { ...question, ...(conversationId === null ? {} : { conversationId }) };
      return answerEvents(
        connection(attempt, (fetchWith) => post(path, { ...body, stream: true }, { headers }, fetchWith)),
      );
    },
    running: (conversationId, attempt) =>
      answerEvents(
        connection(attempt, (fetchWith) => send(pathOf(conversationId, 'stream'), {}, fetchWith)),
        conversationId,
      ),
    messages: (conversationId, cursor) =>
      page(
        cursor === null
          ? pathOf(conversationId)
          : `${pathOf(conversationId, 'messages')}?cursor=${encodeURIComponent(cursor)}`,
      ),
    message: async (conversationId, messageId) =>
      (await send(pathOf(conversationId, 'messages', messageId))).json() as Promise<Message>,
    async stop(conversationId) {
      await post(pathOf(conversationId, 'stop'), {});
    },
    async leaveContact(conversationId, details, key) {
      await post(pathOf(conversationId, 'contact'), details, { headers: { 'idempotency-key': key } });
    },
    async rate(conversationId, messageId, feedback, comment) {
      await post(
        pathOf(conversationId, 'messages', messageId, 'feedback'),
        { feedback: feedback ?? null, ...(comment === undefined ? {} : { comment }) },
        { method: 'PATCH' },
      );
    },
    async hasPerson(conversationId) {
      const response = await send(`${pathOf(conversationId, 'events')}?wait=1`);
      // Nothing was new within a second, in a conversation that has events.
      if (response.status === 204) return true;
      return isOpen((await response.json()) as Pick<PersonState, 'state'>);
    },
    async conversations() {
      const response = await send(`${base}/conversations?limit=20`);
      return ((await response.json()) as { data: Earlier[] }).data;
    },
  };
}

class TooManyRequests extends Error {}

/** Waits. Ends early if the browser comes online. */
const pauseOrOnline = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
