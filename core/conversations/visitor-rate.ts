import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import type { VisitorAllowance } from '../visitors/allowance.js';
import { countMessage } from '../visitors/limits.js';
import { RateLimited, speak } from './speaking-rate.js';

/** Prefixes of subjects: a visitor, an address per agent, an address per workspace and day. */
const VISITOR = 'v:';
const ADDRESS = 'a:';
const ADDRESS_TODAY = 'd:';

/** Counts a message to a person against the rate limits of the visitor and of the address. Throws RateLimited. */
export async function countSpokenBy(
  turn: ConversationTurn,
  { limit, address }: VisitorAllowance,
  nowMs: number,
): Promise<void> {
  const { userId } = turn.conversation;
  const refuse = (seconds: number): never => {
    throw new RateLimited(limit, Math.max(1, Math.ceil(seconds)), userId);
  };
  const visitor = `${VISITOR}${userId}`;
  // In the order of `countVisitor`.
  const [times, [tatMs = 0]] = await Promise.all([turn.spoken(visitor), turn.spoken(ADDRESS + address.key)]);
  const spoken = speak(times, nowMs, limit);
  if ('retryAfterSeconds' in spoken) return refuse(spoken.retryAfterSeconds);
  const counted = countMessage(tatMs, nowMs, address.rate);
  if ('retryAfterMs' in counted) return refuse(counted.retryAfterMs / 1000);
  await turn.writeSpoken(visitor, spoken.timesMs);
  await turn.writeSpoken(ADDRESS + address.key, [counted.tatMs], { atMs: nowMs });
}

/** Counts a message of a visitor to the agent against all limits. Throws RateLimited. */
export async function countVisitor(
  turn: ConversationTurn,
  { limit, address, addressToday, today }: VisitorAllowance,
  nowMs: number,
): Promise<void> {
  const { userId } = turn.conversation;
  const refuse = (seconds: number): never => {
    throw new RateLimited(limit, Math.max(1, Math.ceil(seconds)), userId);
  };
  const visitor = `${VISITOR}${userId}`;
  // These reads lock the rows. Keep the order, so that two turns cannot deadlock.
  const [times, [tatMs = 0], [used = 0]] = await Promise.all([
    turn.spoken(visitor),
    turn.spoken(ADDRESS + address.key),
    turn.spoken(ADDRESS_TODAY + addressToday.key, 'workspace'),
  ]);
  const spoken = speak(times, nowMs, limit);
  if ('retryAfterSeconds' in spoken) return refuse(spoken.retryAfterSeconds);
  const counted = countMessage(tatMs, nowMs, address.rate);
  if ('retryAfterMs' in counted) return refuse(counted.retryAfterMs / 1000);
  if (used >= addressToday.messages) return refuse((addressToday.endMs - nowMs) / 1000);
  await turn.writeSpoken(visitor, spoken.timesMs);
  await turn.writeSpoken(ADDRESS + address.key, [counted.tatMs], { atMs: nowMs });
  await turn.writeSpoken(ADDRESS_TODAY + addressToday.key, [used + 1], {
    owner: 'workspace',
    atMs: addressToday.endMs,
  });
  turn.countVisitorMessage(today.day);
}
