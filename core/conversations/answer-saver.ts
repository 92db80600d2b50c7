import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { NewToolCall, Script } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationSaves } from '../ports/store/conversations/conversations.js';
import { aside } from '../tracing/trail.js';

/** An answer in progress. */
export interface Savable {
  readonly messageId: number;
  readonly conversationId: string;
  readonly token: string;
  /** Returns the whole script, and the tool calls that have not been saved. */
  unsaved(): { script: Script; toolCalls: NewToolCall[] };
  /** Called when the last result of `unsaved` has been stored. Clients may see it from then on. */
  saved(): void;
  /** Called if another writer has the lease, or if the message was deleted. */
  lost(): void;
}

export interface AnswerSaver {
  add(answer: Savable, leaseUntilMs: number): void;
  /** Stops saving the answer, but still extends its lease, because its last turn may be queued. */
  keepLease(answer: Savable): void;
  remove(answer: Savable): void;
  /** Schedules a save of newly written characters. */
  wrote(answer: Savable, characters: number): void;
}

/** Lease of a writer. A sweep ends an answer whose lease has expired. */
export const LEASE_MS = 8000;
/** Minimum time between two commits. Shorter gaps make no visible difference in a stream. */
const GAP_MS = 40;
/** The gap grows with the text, in characters, because every save writes the whole text. */
const LENGTH_PER_GAP = 8192;
const LONGEST_GAP_MS = 500;
const MOST_UNSAVED = 2048;
const BATCH = 100;
const RETRY_MS = 250;

interface Entry {
  answer: Savable;
  /** Number of unsaved characters; null if all is saved. */
  unsaved: number | null;
  /** Number of saved characters. */
  length: number;
  savedAt: number;
  leaseAt: number;
}

/**
 * Saves the answers of this process in batches, and extends their leases. Streams show only saved text, so a crash loses
 * nothing that a client has seen.
 */
export function createAnswerSaver({
  saves,
  clock,
  log,
}: {
  saves: Pick<ConversationSaves, 'save'>;
  clock: Clock;
  log: Log;
}): AnswerSaver {
  const entries = new Map<number, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let saving = false;
  let notBefore = 0;

  const gapOf = ({ length, unsaved }: Entry): number =>
    unsaved !== null && unsaved >= MOST_UNSAVED
      ? GAP_MS
      : Math.min(LONGEST_GAP_MS, Math.max(GAP_MS, (length / LENGTH_PER_GAP) * GAP_MS));
  const dueAt = (entry: Entry): number =>
    Math.min(
      entry.unsaved === null ? Number.POSITIVE_INFINITY : entry.savedAt + gapOf(entry),
      entry.leaseAt + LEASE_MS / 3,
    );

  function arm(): void {
    if (saving || entries.size === 0) return;
    let at = Number.POSITIVE_INFINITY;
    for (const entry of entries.values()) at = Math.min(at, dueAt(entry));
    at = Math.max(at, notBefore);
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    // The timer serves all answers, so it must not inherit the context of the request that sets it.
    timer = aside(() => setTimeout(() => void run(), Math.max(0, at - performance.now())));
    timer.unref();
  }

  async function run(): Promise<void> {
    timerAt = Number.POSITIVE_INFINITY;
    saving = true;
    const now = performance.now();
    // Longest overdue first. Ordered by their start, the newest of many answers would starve.
    const due = [...entries.values()]
      .filter((entry) => dueAt(entry) <= now)
      .sort((one, other) => dueAt(one) - dueAt(other))
      .slice(0, BATCH);
    try {
      await saveAll(due, now);
      notBefore = now + (due.length === BATCH ? 0 : GAP_MS);
    } catch (error) {
      log.warn({ err: error, answers: due.length }, 'answers in progress could not be saved; will retry');
      notBefore = performance.now() + RETRY_MS;
    } finally {
      saving = false;
      arm();
    }
  }

  async function saveAll(due: Entry[], now: number): Promise<void> {
    if (due.length === 0) return;
    const leaseUntilMs = clock.now() + LEASE_MS;
    const batch = due.map((entry) => {
      const { messageId, conversationId, token } = entry.answer;
      const unsaved = entry.unsaved === null ? { script: null, toolCalls: [] } : entry.answer.unsaved();
      return {
        messageId,
        conversationId,
        token,
        leaseUntilMs,
        ...unsaved,
      };
    });
    const written = due.map((entry) => {
      const { unsaved } = entry;
      entry.unsaved = null;
      return unsaved;
    });
    let lost: Set<number>;
    try {
      lost = new Set(await saves.save(batch));
    } catch (error) {
      due.forEach((entry, n) => {
        const { [n]: characters = null } = written;
        if (characters !== null) entry.unsaved = (entry.unsaved ?? 0) + characters;
      });
      throw error;
    }
    due.forEach((entry, n) => {
      const { [n]: characters = null } = written;
      entry.savedAt = now;
      entry.leaseAt = now;
      entry.length += characters ?? 0;
      if (!entries.has(entry.answer.messageId)) return;
      if (lost.has(entry.answer.messageId)) entry.answer.lost();
      else if (characters !== null) entry.answer.saved();
    });
  }

  return {
    add(answer, leaseUntilMs) {
      const leaseAt = performance.now() - (LEASE_MS - (leaseUntilMs - clock.now()));
      entries.set(answer.messageId, { answer, unsaved: null, length: 0, savedAt: 0, leaseAt });
      arm();
    },
    keepLease(answer) {
      const entry = entries.get(answer.messageId);
      // Replace the entry: if the save in progress fails, it schedules a retry on the old entry only.
      if (entry) entries.set(answer.messageId, { ...entry, unsaved: null });
    },
    remove(answer) {
      entries.delete(answer.messageId);
    },
    wrote(answer, characters) {
      const entry = entries.get(answer.messageId);
      if (!entry) return;
      entry.unsaved = (entry.unsaved ?? 0) + characters;
      arm();
    },
  };
}
