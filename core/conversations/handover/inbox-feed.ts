import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_SKEW_MS, type Clock, seconds } from '../../ports/clock.port.js';
import type { Log } from '../../ports/log.port.js';
import type { Inbox, InboxChange, Reader } from '../../ports/store/conversations/inbox.js';
import { aside } from '../../tracing/trail.js';

export interface InboxReader extends Reader {
  /** Agents that the reader may see; null for all of the workspace. */
  agentIds: ReadonlySet<string> | null;
}

/** A point in the sequence of changes, from which a reader continues. */
export interface InboxMark {
  /** Number of the latest change before it. */
  changedAtMs: number;
  /** Changes just before it, which the reader does not need. */
  known: readonly InboxChange[];
}

/** Follows the inboxes of all workspaces, with one statement per poll whatever the number of readers. */
export interface InboxFeed {
  /**
   * Records that the reader has the inbox open. Returns the point from which it follows: after the change with the number
   * `after`, or the present one.
   */
  open(reader: Reader, after: number | null): Promise<InboxMark>;
  /**
   * Yields the conversations that are changed after `mark`, until the signal is aborted, and `idle` after `idleMs` without
   * one. A change may be repeated. The reader counts as available as long as it follows.
   */
  follow(
    reader: InboxReader,
    from: { mark: InboxMark; idleMs: number; signal: AbortSignal },
  ): AsyncGenerator<InboxChange | 'idle'>;
}

const POLL_MS = 1000;
/** A turn that commits late may have an earlier time than changes that were already read. */
const LATE_MS = 15_000;
/** Interval between records that the inbox is open, in ms. */
const TOUCH_MS = 30_000;
const BATCH = 500;
/** Maximum number of missed changes that are sent. A reader that has missed more must read its list again. */
const MOST_REPLAYED = 1000;
const FIRST = '';

export function createInboxFeed({ inbox, clock, log }: { inbox: Inbox; clock: Clock; log: Log }): InboxFeed {
  const { reads, readers } = inbox;
  const followers = new Map<(change: InboxChange) => void, InboxReader>();
  /** Changes of the last seconds, by conversation. */
  let known = new Map<string, InboxChange>();
  let newest = 0;
  /** Null while there are no followers. */
  let beginning: Promise<void> | null = null;
  let touchedAt = 0;

  async function read(since: number): Promise<InboxChange[]> {
    const found: InboxChange[] = [];
    for (let after = { changedAtMs: since, conversationId: FIRST }; ; ) {
      const some = await reads.changes(after, BATCH);
      found.push(...some);
      const last = some.at(-1);
      if (some.length < BATCH || !last) return found;
      after = last;
    }
  }

  async function poll(): Promise<void> {
    // Times in the future were stored while a clock was ahead.
    const since = lateness(Math.min(newest, clock.now() + CLOCK_SKEW_MS));
    const fresh = (await read(since)).filter(
      (change) => known.get(change.conversationId)?.changedAtMs !== change.changedAtMs,
    );
    for (const change of fresh) {
      known.set(change.conversationId, change);
      newest = Math.max(newest, change.changedAtMs);
      for (const [hear, reader] of followers) if (sees(reader, change)) hear(change);
    }
    known = new Map([...known].filter(([, { changedAtMs }]) => changedAtMs >= since));
    if (performance.now() - touchedAt < TOUCH_MS) return;
    touchedAt = performance.now();
    await readers.touch(distinct([...followers.values()]), seconds(clock.now()));
  }

  async function begin(): Promise<void> {
    newest = await reads.lastChangedAtMs();
    known = new Map((await read(lateness(newest))).map((change) => [change.conversationId, change]));
    void aside(pollWhileFollowed);
  }

  async function pollWhileFollowed(): Promise<void> {
    while (followers.size > 0) {
      await sleep(POLL_MS, undefined, { ref: false });
      // Followers keep waiting if the database is unavailable.
      await poll().catch((err: unknown) => log.debug({ err }, 'changes of the inbox cannot be read'));
    }
    beginning = null;
  }

  const replayed = (after: number, workspaceId: string): Promise<InboxChange[]> =>
    reads.changes({ changedAtMs: lateness(after), conversationId: FIRST }, MOST_REPLAYED, workspaceId);

  return {
    async open({ type, id, workspaceId }, after) {
      await readers.touch([{ type, id, workspaceId }], seconds(clock.now()));
      if (after !== null) return { changedAtMs: after, known: [] };
      const changedAtMs = await reads.lastChangedAtMs();
      return { changedAtMs, known: await replayed(changedAtMs, workspaceId) };
    },
    async *follow(reader, { mark, idleMs, signal }) {
      const waiting = new Map<string, InboxChange>();
      let wake = (): void => {};
      const hear = (change: InboxChange): void => {
        waiting.set(change.conversationId, change);
        wake();
      };
      const onAbort = (): void => wake();
      followers.set(hear, reader);
      signal.addEventListener('abort', onAbort);
      try {
        beginning ??= begin().catch((error: unknown) => {
          beginning = null;
          throw error;
        });
        await beginning;
        // Polls read what comes from now on.
        for (const change of await replayed(mark.changedAtMs, reader.workspaceId))
          if (sees(reader, change) && !mark.known.some((other) => isSame(other, change))) yield change;
        while (!signal.aborted) {
          if (waiting.size === 0) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, idleMs);
              wake = () => {
                clearTimeout(timer);
                resolve();
              };
              if (signal.aborted) wake();
            });
          }
          if (signal.aborted) return;
          if (waiting.size === 0) yield 'idle';
          const changes = [...waiting.values()];
          waiting.clear();
          yield* changes;
        }
      } finally {
        followers.delete(hear);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** The time from which changes are read again. Conversations that were never changed have 0. */
const lateness = (changedAtMs: number): number => Math.max(1, changedAtMs - LATE_MS);

const isSame = (a: InboxChange, b: InboxChange): boolean =>
  a.conversationId === b.conversationId && a.changedAtMs === b.changedAtMs;

const sees = ({ workspaceId, agentIds }: InboxReader, change: InboxChange): boolean =>
  change.workspaceId === workspaceId && (agentIds?.has(change.agentId) ?? true);

const distinct = (readers: InboxReader[]): Reader[] => [
  ...new Map(readers.map((reader) => [reader.id, reader])).values(),
];
