import { ApiError } from '../errors/api-error.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import { speak } from './speaking-rate.js';

const HOUR_S = 3600;

interface HourlyLimit {
  subject: string;
  most: number;
}

/**
 * Counts a request of a visitor or of an address. Returns the seconds after which it may be repeated if there were `most` in
 * the last hour, else null.
 */
export async function takeInHour(
  turn: Pick<ConversationTurn, 'spoken' | 'writeSpoken'>,
  { subject, most }: HourlyLimit,
  nowMs: number,
): Promise<number | null> {
  const limit = { maxMessages: most, windowSeconds: HOUR_S, limitMessage: '' };
  const spoken = speak(await turn.spoken(subject), nowMs, limit);
  if (!('timesMs' in spoken)) return spoken.retryAfterSeconds;
  await turn.writeSpoken(subject, spoken.timesMs);
  return null;
}

/** As `takeInHour`, but throws 503 above the limit. */
export async function countInHour(
  turn: Pick<ConversationTurn, 'spoken' | 'writeSpoken'>,
  { message, ...limit }: HourlyLimit & { message: string },
  nowMs: number,
): Promise<void> {
  const retryAfterSeconds = await takeInHour(turn, limit, nowMs);
  if (retryAfterSeconds === null) return;
  throw new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
