import type { Clock } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { ConversationSaves, NewToolCall, Script } from '../ports/store/conversations.js';
import { aside } from '../tracing/trail.js';

/** An answer under way, as the saver sees it. */
export interface Savable {
  readonly messageId: number;
  readonly conversationId: string;
  readonly token: string;
  /** All that was written, and the calls that have not been saved. */
  unsaved(): { script: Script; toolCalls: NewToolCall[] };
  /** The last `unsaved` is in the database: now clients may see it. */
  saved(): void;
  /** Another writer has the lease, or the message is gone: nothing more can be saved. */
  lost(): void;
}

export interface AnswerSaver {
  /** From when it was opened until now, the lease has run. */
  add(answer: Savable, leaseUntilMs: number): void;
  remove(answer: Savable): void;
  /** So many characters have been written; nobody may see them before they are saved. */
  wrote(answer: Savable, characters: number): void;
}

/** An answer whose process is dead is given up after this; a sweep then ends it. */
export const LEASE_MS = 8000;
/** Between two commits. A stream is not smoother to the eye below this. */
const GAP_MS = 40;
/** A long text is written whole each time: the gap grows with it, up to the longest that may be. */
const LENGTH_PER_GAP = 8192;
const LONGEST_GAP_MS = 500;
const MOST_UNSAVED = 2048;
const BATCH = 100;
const RETRY_MS = 250;

interface Entry {
  answer: Savable;
  /** Something is to be saved: so many characters. */
  unsaved: number | null;
  /** Characters that have been saved. */
  length: number;
  savedAt: number;
  leaseAt: number;
}

/**
 * Saves what the answers of this process write, many in one commit, and extends their leases. A stream shows
 * only what has been saved, so no crash can take back a word that a client has seen.
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
    // For all answers, whichever of them sets it.
    timer = aside(() => setTimeout(() => void run(), Math.max(0, at - performance.now())));
    timer.unref();
  }

  async function run(): Promise<void> {
    timerAt = Number.POSITIVE_INFINITY;
    saving = true;
    const now = performance.now();
    // The one that has waited longest comes first. In the order of their beginnings, the last of many
    // would never be saved.
    const due = [...entries.values()]
      .filter((entry) => dueAt(entry) <= now)
      .sort((one, other) => dueAt(one) - dueAt(other))
      .slice(0, BATCH);
    try {
      await saveAll(due, now);
      notBefore = now + (due.length === BATCH ? 0 : GAP_MS);
    } catch (error) {
      log.warn({ err: error, answers: due.length }, 'answers under way could not be saved; tried again');
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
