import type { Message } from '../../../client/answer-events.js';
import type { Visitor } from '../visitor.js';
import type { ChatService } from './chat-service.js';
import type { Handover } from './handover.js';
import { isOpen, type PersonState } from './person-state.js';
import type { Entry, TalkState } from './talk-state.js';

/** The part of a conversation that people have: their messages, their state, and what is unread. */
interface PersonSide {
  change(part: Partial<PersonState>): void;
  /** Messages that arrived by themselves since `begin`. */
  arrived(): Entry[];
  /** An answer begins. */
  begin(): void;
  /** A message of this page has got its answer, which names the state; null if it names none. */
  spoken(state: string | null): void;
  /** Follows a loaded conversation if a person answers it, or may come. */
  follow(conversationId: string, position: string | undefined): void;
  /** Asks for a person. Rejects if the service was not reached. */
  call(): Promise<void>;
  cancel(): Promise<void>;
  /** The visitor types. */
  typing(): void;
  /** The panel was opened or closed. */
  show(isVisible: boolean): void;
  stop(): void;
}

interface PersonSideOptions {
  service: Pick<ChatService, 'requests' | 'hasPerson'>;
  visitor: Pick<Visitor, 'conversationId' | 'seen' | 'see'>;
  /** Seconds after which a waiting visitor gets the form. */
  waitSeconds: number;
  current(): TalkState;
  /** Aborted once another conversation is shown. */
  running(): AbortSignal;
  change(part: Partial<TalkState>): void;
  /** Reads the conversation again. */
  load(): void;
  /** Called for each message of a person. */
  onMessage(message: Entry): void;
}

/** Interval between checks whether a person has taken the conversation over, and how long they go on, in ms. */
const CHECK_MS = 30_000;
const CHECKED_MS = 600_000;

export function createPersonSide(options: PersonSideOptions): PersonSide {
  const { service, visitor, current, running, load } = options;
  let arrived: Entry[] = [];
  let isVisible = false;
  let handover: Promise<Handover> | null = null;
  let checking: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last message of this page. */
  let spokenAt = 0;

  function change(part: Partial<PersonState>): void {
    options.change({ person: { ...current().person, ...part } });
    keepSeen();
  }

  /** Remembers the newest message that the visitor has seen, if a person answers or may come. */
  function keepSeen(): void {
    const { person, entries } = current();
    if (!isOpen(person)) visitor.see(null);
    else if (isVisible || visitor.seen() === null)
      visitor.see(entries.findLast(({ id }) => id !== null)?.id ?? '0');
  }

  /** Loads the code for conversations with people. Null for a page without the requests of visitors. */
  function withHandover(): Promise<Handover> | null {
    const { requests } = service;
    if (requests === null) return null;
    handover ??= import('./handover.js')
      .then(({ createHandover }) =>
        createHandover({
          requests,
          waitSeconds: options.waitSeconds,
          onChange: change,
          onMessage: receive,
          onGap: load,
        }),
      )
      .catch((error: unknown) => {
        handover = null;
        throw error;
      });
    return handover;
  }

  /** Calls the code if it can be loaded. The next check tries again. */
  const whenLoaded = (loading: Promise<Handover> | null, work: (loaded: Handover) => void): void =>
    void loading?.then(work, () => {});

  /** Does something in the conversation of this page. */
  async function inConversation(
    work: (loaded: Handover, conversationId: string) => Promise<void>,
  ): Promise<void> {
    const conversationId = visitor.conversationId();
    const loaded = await withHandover();
    if (conversationId !== null && loaded !== null) await work(loaded, conversationId);
  }

  /** Shows a message that arrived by itself. Own messages and answers in progress are already on the page. */
  function receive(message: Message): void {
    const { entries, isBusy, unread } = current();
    if (entries.some(({ id }) => id === message.id) || message.role === 'tool') return;
    const isOfPerson = message.metadata.author !== undefined;
    if (!isOfPerson && isBusy) return;
    if (isBusy) arrived.push(message);
    options.change({ entries: [...entries, message] });
    if (isOfPerson) {
      if (!isVisible) options.change({ unread: unread + 1 });
      options.onMessage(message);
    }
    keepSeen();
  }

  /** A person may take the conversation over unasked: looks now and then, for some minutes after a message. */
  function check(pauseMs: number): void {
    clearTimeout(checking);
    const signal = running();
    checking = setTimeout(async () => {
      const conversationId = visitor.conversationId();
      if (signal.aborted || conversationId === null || isOpen(current().person)) return;
      const isShown = isVisible && document.visibilityState === 'visible';
      const hasPerson = isShown && (await service.hasPerson(conversationId).catch(() => false));
      if (signal.aborted) return;
      if (hasPerson && !current().isBusy) load();
      else if (Date.now() - spokenAt < CHECKED_MS) check(CHECK_MS);
    }, pauseMs);
  }

  return {
    change,
    arrived: () => arrived,
    begin() {
      arrived = [];
    },
    spoken(state) {
      spokenAt = Date.now();
      check(state === 'agent' ? CHECK_MS : 0);
    },
    follow(conversationId, position) {
      const { entries, person } = current();
      const last = visitor.seen();
      const seen = Number(last ?? 0);
      const isUnread = ({ id, metadata }: Entry): boolean =>
        metadata.author !== undefined && Number(id) > seen;
      options.change({ unread: isVisible || last === null ? 0 : entries.filter(isUnread).length });
      keepSeen();
      if (isOpen(person) && position !== undefined)
        whenLoaded(withHandover(), (loaded) => loaded.follow(conversationId, position));
    },
    call: () => inConversation((loaded, conversationId) => loaded.call(conversationId)),
    cancel: () => inConversation((loaded, conversationId) => loaded.cancel(conversationId)),
    typing() {
      const conversationId = visitor.conversationId();
      if (current().person.state === 'human' && conversationId !== null)
        whenLoaded(handover, (loaded) => loaded.typing(conversationId));
    },
    show(visible) {
      isVisible = visible;
      if (!visible) return;
      const { unread, person } = current();
      if (unread > 0) options.change({ unread: 0 });
      if (isOpen(person)) keepSeen();
    },
    stop() {
      clearTimeout(checking);
      whenLoaded(handover, (loaded) => loaded.stop());
    },
  };
}
