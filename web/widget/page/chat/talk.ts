import {
  type AnswerEvent,
  applyEvent,
  asked,
  emptyAnswer,
  type Message,
  textOf,
} from '../../../client/answer-events.js';
import { randomKey } from '../../../client/answer-stream.js';
import type { FrameEvent } from '../../protocol.js';
import { codeOf, isTemporary, Refusal } from '../refusal.js';
import type { Session } from '../session.js';
import type { Visitor } from '../visitor.js';
import type { Attempt, ChatService, ContactDetails } from './chat-service.js';
import { createPersonSide } from './person-side.js';
import { isOpen } from './person-state.js';
import { type Entry, initialState, type TalkState } from './talk-state.js';

export interface Talk {
  readonly initial: TalkState;
  send(text: string): void;
  sendAgain(entry: Entry): void;
  /** Requests another answer in place of this one. */
  tryAgain(entry: Entry): void;
  stop(): void;
  rate(entry: Entry, feedback: 'positive' | 'negative'): void;
  /** Explains a negative rating. Resolves to false if that was not stored. */
  comment(entry: Entry, comment: string): Promise<boolean>;
  /** Asks for a person. Before the first message, `label` is sent as the message. */
  callPerson(label: string): void;
  cancelCall(): void;
  /** The visitor types. */
  typing(): void;
  /** The panel was opened or closed. */
  show(isVisible: boolean): void;
  /** Shows another conversation of the visitor. */
  open(conversationId: string): void;
  /** Sends contact details in the conversation. Rejects if they were not stored. */
  leaveContact(details: ContactDetails, key: string): Promise<void>;
  loadEarlier(): void;
  load(): void;
  startNew(): void;
  end(): void;
}

interface TalkOptions {
  service: ChatService;
  visitor: Pick<Visitor, 'conversationId' | 'remember' | 'seen' | 'see'>;
  /** Seconds after which a waiting visitor gets the form. */
  waitSeconds: number;
  initialMessages: readonly string[];
  session: Session;
  onChange(state: TalkState): void;
  /** Called once per answer when it has ended. */
  onEnd(answer: Entry): void;
  report(event: FrameEvent): void;
}

/** Pauses before loading a conversation is retried, in ms. */
const LOAD_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000];

/** Pause before the conversation of an answer that has just ended is read again, in ms. */
const RELOAD_MS = 1000;

/** The conversation of this page: its messages, the running answer and the available actions. */
export function createTalk(options: TalkOptions): Talk {
  const { service, visitor, session } = options;
  /** A message that was being sent when the page was reloaded, until it is sent again. */
  let restored = session.pending();
  let state = initialState(options.initialMessages);
  if (restored || visitor.conversationId() !== null) state = { ...state, loading: 'yes' };
  const initial = state;
  let running = new AbortController();
  let isStopping = false;
  const change = (part: Partial<TalkState>): void => {
    state = { ...state, ...part };
    options.onChange(state);
  };
  const person = createPersonSide({
    service,
    visitor,
    waitSeconds: options.waitSeconds,
    current: () => state,
    running: () => running.signal,
    change,
    load: () => void load(),
    onMessage: options.onEnd,
  });
  const report = (name: 'message', detail: Extract<FrameEvent, { name: 'message' }>['detail']): void =>
    options.report({ cadre: 'event', name, detail });

  interface Run {
    events(attempt: Omit<Attempt, 'key'>): AsyncGenerator<AnswerEvent>;
    /** Messages before the answer. */
    before: Entry[];
    /** Called with the first event. Returns the current messages before the answer. */
    onStart?(answer: Entry): Entry[];
    /** Called if no answer arrived. `thrown` is null if there was no error. */
    onFailure(thrown: unknown): void;
  }

  /** Shows an answer as it grows. Resolves when it has ended. */
  async function run({ events, before, onStart, onFailure }: Run): Promise<void> {
    const { signal } = running;
    let answer: Entry | null = null;
    let shown = before;
    isStopping = false;
    person.begin();
    change({ isBusy: true, hasActionFailed: false });
    try {
      const onWaiting = (isWaiting: boolean): void => change({ isWaiting });
      for await (const event of events({ signal, onWaiting })) {
        if (signal.aborted) return;
        answer = applyEvent<Entry>(answer ?? emptyAnswer(), event);
        if (event.type === 'start') {
          const { conversationId } = answer.metadata;
          if (conversationId) visitor.remember(conversationId);
          shown = onStart?.(answer) ?? shown;
          if (isStopping) void stopRunning();
        }
        change({ entries: [...shown, answer, ...person.arrived()] });
      }
      if (signal.aborted) return;
      if (answer === null) return onFailure(null);
      if (answer.metadata.handledBy === 'human') return forPerson(shown);
      answer = await ended(answer);
      change({ entries: [...shown, answer, ...person.arrived()] });
      finish(answer);
    } catch (thrown) {
      if (signal.aborted) return;
      options.report({ cadre: 'event', name: 'error', detail: { code: codeOf(thrown) } });
      if (answer === null) onFailure(thrown);
      else {
        answer = { ...answer, status: 'failed' };
        change({ entries: [...shown, answer, ...person.arrived()] });
        options.onEnd(answer);
      }
    } finally {
      if (!signal.aborted) {
        change({ isBusy: false, isWaiting: false });
        person.spoken(answer?.metadata.state ?? null);
      }
    }
  }

  /** The message was stored for a person: there is no answer. */
  function forPerson(shown: Entry[]): void {
    change({ entries: [...shown, ...person.arrived()] });
    if (!isOpen(state.person)) void load();
  }

  /** The stream may end before the answer does: load the answer. An answer that failed without text is not stored. */
  async function ended(answer: Entry): Promise<Entry> {
    const { conversationId } = answer.metadata;
    let last = answer;
    if (answer.status === 'generating' && answer.id && conversationId)
      last = await service
        .message(conversationId, answer.id)
        .catch((thrown: unknown) =>
          thrown instanceof Refusal && thrown.status === 404
            ? { ...answer, status: 'failed' }
            : Promise.reject(thrown),
        );
    return last.status !== 'completed' && textOf(last) === '' ? { ...last, id: null } : last;
  }

  function finish(answer: Entry): void {
    const { conversationId, rateLimited, error } = answer.metadata;
    if (rateLimited) change({ limitedUntil: Date.now() + rateLimited.retryAfterSeconds * 1000 });
    if (answer.id && conversationId)
      report('message', { role: 'assistant', conversationId, messageId: answer.id });
    if (error) options.report({ cadre: 'event', name: 'error', detail: { code: error.code } });
    options.onEnd(answer);
  }

  /** Sends a message, or sends it again with the same key. */
  function ask(message: Entry, entries: Entry[], isFirstTry = true): Promise<void> {
    const { key = randomKey(), conversationId = visitor.conversationId() } = message;
    const text = textOf(message);
    const before = entries.filter((other) => other.key !== key);
    const sending: Entry = { ...message, key, conversationId, delivery: 'sending' };
    const { delivery: _, ...sent } = sending;
    session.keep({ key, text, conversationId });
    if (state.person.note !== null) person.change({ note: null });
    change({ entries: [...before, sending], loading: 'no' });
    return run({
      events: (attempt) => service.answer({ message: text }, conversationId, { ...attempt, key }),
      before: [...before, sending],
      onStart({ metadata: { conversationId: id, userMessageId = null } }) {
        session.drop();
        if (id && userMessageId)
          report('message', { role: 'user', conversationId: id, messageId: userMessageId });
        // After a reload, the loaded messages may include this one.
        const same = userMessageId === null ? -1 : before.findIndex(({ id }) => id === userMessageId);
        return [...(same === -1 ? before : before.slice(0, same)), { ...sent, id: userMessageId }];
      },
      onFailure(thrown) {
        const isGone = thrown instanceof Refusal && thrown.code === 'CHAT_CONVERSATION_MISMATCH';
        if (isGone && isFirstTry) {
          if (visitor.conversationId() === conversationId) visitor.remember(null);
          const { key: _key, conversationId: _conversationId, ...fresh } = sent;
          // Runs after the end of this run.
          queueMicrotask(() => void ask(fresh, before, false));
          return;
        }
        const isRefused = thrown instanceof Refusal && !isTemporary(thrown) && thrown.status !== 401;
        if (isRefused) session.drop();
        const failed: Entry = { ...sent, delivery: isRefused ? 'refused' : 'not-sent' };
        change({ entries: [...before, failed, ...person.arrived()] });
      },
    });
  }

  function followRunning(conversationId: string, before: Entry[]): void {
    void run({
      events: (attempt) => service.running(conversationId, attempt),
      before,
      onFailure: () => void setTimeout(() => !running.signal.aborted && void load(), RELOAD_MS),
    });
  }

  async function load(): Promise<void> {
    const conversationId = visitor.conversationId();
    const { signal } = running;
    if (conversationId !== null) {
      const loaded = await loadMessages(conversationId, signal);
      if (loaded === 'failed' || signal.aborted) return;
      if (loaded && !restored) {
        const last = loaded.at(-1);
        if (last?.status === 'generating') return followRunning(conversationId, loaded.slice(0, -1));
      }
    }
    if (!restored) return;
    const { text, ...sent } = restored;
    restored = null;
    void ask({ ...asked(text), ...sent }, state.entries);
  }

  /** Returns null if the conversation no longer exists. */
  async function loadMessages(
    conversationId: string,
    signal: AbortSignal,
  ): Promise<Entry[] | null | 'failed'> {
    change({ loading: 'yes' });
    for (const pause of [...LOAD_PAUSES_MS, null]) {
      try {
        const { messages, cursor, person: loaded, position } = await service.messages(conversationId, null);
        if (signal.aborted) return 'failed';
        const entries = withoutTools(messages);
        const note = loaded && isOpen(loaded) ? null : state.person.note;
        change({ entries, cursor, loading: 'no', isWaiting: false });
        change({ person: { ...state.person, ...loaded, note } });
        person.follow(conversationId, position);
        return entries;
      } catch (thrown) {
        if (signal.aborted) return 'failed';
        if (thrown instanceof Refusal && thrown.status === 404) {
          visitor.remember(null);
          change({ ...initialState(options.initialMessages) });
          return null;
        }
        if (!isTemporary(thrown) || pause === null) break;
        change({ isWaiting: true });
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    change({ loading: 'failed', isWaiting: false });
    return 'failed';
  }

  async function stopRunning(): Promise<void> {
    const conversationId = visitor.conversationId();
    if (conversationId !== null) await act(service.stop(conversationId));
  }

  const act = (action: Promise<unknown>): Promise<boolean> =>
    action.then(
      () => true,
      () => {
        change({ hasActionFailed: true });
        return false;
      },
    );

  const end = (): void => {
    running.abort();
    person.stop();
  };

  function restart(conversationId: string | null): void {
    end();
    running = new AbortController();
    session.drop();
    restored = null;
    visitor.remember(conversationId);
    change({ ...initialState(options.initialMessages) });
  }

  return {
    initial,
    callPerson(label) {
      const call = (): Promise<boolean> => act(person.call());
      if (visitor.conversationId() !== null) void call();
      else void ask(asked(label), state.entries).then(call);
    },
    cancelCall: () => void act(person.cancel()),
    typing: person.typing,
    show: person.show,
    open(conversationId) {
      restart(conversationId);
      void load();
    },
    async comment(entry, comment) {
      const conversationId = visitor.conversationId();
      const { id } = entry;
      if (id === null || conversationId === null) return false;
      return act(service.rate(conversationId, id, 'negative', comment));
    },
    send: (text) => void ask(asked(text), state.entries),
    sendAgain(entry) {
      void ask(
        entry,
        state.entries.filter((other) => other !== entry),
      );
    },
    tryAgain(entry) {
      const { entries } = state;
      const before = entries.slice(0, entries.indexOf(entry));
      const conversationId = visitor.conversationId();
      const question = before.at(-1);
      if (entry.id !== null && conversationId !== null) {
        const messageId = entry.id;
        const key = randomKey();
        const restore = (): void => change({ entries, hasActionFailed: true });
        change({ entries: before });
        void run({
          events: (attempt) => service.answer({ messageId }, conversationId, { ...attempt, key }),
          before,
          onFailure: restore,
        });
      } else if (question?.role === 'user') void ask(question, before.slice(0, -1));
    },
    stop() {
      isStopping = true;
      const isWriting = state.entries.at(-1)?.status === 'generating';
      if (isWriting) void stopRunning();
    },
    async rate(entry, value) {
      const conversationId = visitor.conversationId();
      if (entry.id === null || conversationId === null) return;
      const feedback: Message['feedback'] = entry.feedback === value ? null : value;
      const replace = (changed: Entry): void =>
        change({ entries: state.entries.map((other) => (other.id === entry.id ? changed : other)) });
      replace({ ...entry, feedback });
      if (!(await act(service.rate(conversationId, entry.id, feedback)))) replace(entry);
    },
    async leaveContact(details, key) {
      const conversationId = visitor.conversationId();
      if (conversationId !== null) await service.leaveContact(conversationId, details, key);
    },
    async loadEarlier() {
      const { cursor } = state;
      const { signal } = running;
      const conversationId = visitor.conversationId();
      if (cursor === null || conversationId === null) return;
      change({ cursor: null });
      try {
        const earlier = await service.messages(conversationId, cursor);
        if (signal.aborted) return;
        // An answer that has started in the meantime keeps the messages before it.
        if (state.isBusy) change({ cursor });
        else
          change({ entries: [...withoutTools(earlier.messages), ...state.entries], cursor: earlier.cursor });
      } catch {
        if (!signal.aborted) change({ cursor, hasActionFailed: true });
      }
    },
    load: () => void load(),
    startNew: () => restart(null),
    end,
  };
}

const withoutTools = (messages: readonly Message[]): Entry[] =>
  messages.filter(({ role }) => role !== 'tool');
