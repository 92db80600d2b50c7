import type { RateLimit } from '../agent-settings/rate-limit.js';
import { CLOCK_SKEW_MS } from '../ports/clock.port.js';
import { type ConversationTurn, userSubject } from '../ports/store/conversations/conversations.js';

/** The settings allow at most this number of messages in a window. */
const REMEMBERED_TIMES = 100;
/** The settings allow no longer window. */
export const LONGEST_WINDOW_MS = 3_600_000;

/** Returns the subject of the limit: the conversation's user, else the conversation. */
export const subjectOf = ({ id, userId }: { id: string; userId: string | null }): string =>
  userId === null ? `c:${id}` : userSubject(userId);

/**
 * Adds a message at `nowMs` to the messages at `timesMs` (oldest first). Returns the times to store, or the time to wait
 * if the limit is reached. Ignores times in the future: the clock was ahead when they were stored.
 */
export function speak(
  timesMs: readonly number[],
  nowMs: number,
  limit: RateLimit | null,
): { timesMs: number[] } | { retryAfterSeconds: number } {
  const past = timesMs.filter((time) => time <= nowMs + CLOCK_SKEW_MS);
  if (limit !== null) {
    const windowMs = limit.windowSeconds * 1000;
    const within = past.filter((time) => time > nowMs - windowMs);
    const most = Math.floor(limit.maxMessages);
    const first = within[within.length - most];
    if (within.length >= most && first !== undefined)
      return { retryAfterSeconds: Math.max(1, Math.ceil((first + windowMs - nowMs) / 1000)) };
  }
  return { timesMs: [...past, nowMs].slice(-REMEMBERED_TIMES) };
}

/** Counts a message of a subject. Throws RateLimited if its limit is reached. */
export async function countSpoken(
  turn: Pick<ConversationTurn, 'spoken' | 'writeSpoken'>,
  speaker: { subject: string; userId: string | null; limit: RateLimit | null; nowMs: number },
): Promise<void> {
  const { subject, userId, limit, nowMs } = speaker;
  const spoken = speak(await turn.spoken(subject), nowMs, limit);
  if ('timesMs' in spoken) return turn.writeSpoken(subject, spoken.timesMs);
  if (limit) throw new RateLimited(limit, spoken.retryAfterSeconds, userId);
}

export class RateLimited extends Error {
  readonly limit: RateLimit;
  readonly retryAfterSeconds: number;
  /** User of the conversation. */
  readonly userId: string | null;
  constructor(limit: RateLimit, retryAfterSeconds: number, userId: string | null) {
    super('the rate limit of the agent is reached');
    this.name = 'RateLimited';
    this.limit = limit;
    this.retryAfterSeconds = retryAfterSeconds;
    this.userId = userId;
  }
}

/** The visitors of the workspace have used up today's messages or the storage. */
export class VisitorsUnavailable extends Error {
  /** For the visitor, in the language of the agent. */
  readonly sentence: string;
  constructor(sentence: string) {
    super("the workspace has used up today's messages of visitors, or their storage");
    this.name = 'VisitorsUnavailable';
    this.sentence = sentence;
  }
}
