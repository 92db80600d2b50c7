import { ApiError } from '../errors/api-error.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import { speak } from './speaking-rate.js';

const HOUR_S = 3600;

/** Counts a request of a visitor or of an address. Throws 503 if there were `most` in the last hour. */
export async function countInHour(
  turn: Pick<ConversationTurn, 'spoken' | 'writeSpoken'>,
  { subject, most, message }: { subject: string; most: number; message: string },
  nowMs: number,
): Promise<void> {
  const limit = { maxMessages: most, windowSeconds: HOUR_S, limitMessage: '' };
  const spoken = speak(await turn.spoken(subject), nowMs, limit);
  if ('timesMs' in spoken) return turn.writeSpoken(subject, spoken.timesMs);
  throw new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message,
    headers: { 'retry-after': String(spoken.retryAfterSeconds) },
  });
}
