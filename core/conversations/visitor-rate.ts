import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import type { VisitorAllowance } from '../visitors/allowance.js';
import { countMessage } from '../visitors/limits.js';
import { RateLimited, speak } from './speaking-rate.js';

/** Prefixes of subjects: a visitor, an address per agent, an address per workspace and day. */
const VISITOR = 'v:';
const ADDRESS = 'a:';
const ADDRESS_TODAY = 'd:';

/** Reads the rates of the visitor and the address. Returns the wait until another message in seconds, or how to count it. */
async function ratesOf(
  turn: ConversationTurn,
  { limit, address }: VisitorAllowance,
  nowMs: number,
): Promise<{ waitSeconds: number } | { count: () => Promise<void> }> {
  const visitor = `${VISITOR}${turn.conversation.userId}`;
  // These reads lock the rows. All callers read them first and in this order, so that two turns cannot deadlock.
  const [times, [tatMs = 0]] = await Promise.all([turn.spoken(visitor), turn.spoken(ADDRESS + address.key)]);
  const spoken = speak(times, nowMs, limit);
  if ('retryAfterSeconds' in spoken) return { waitSeconds: spoken.retryAfterSeconds };
  const counted = countMessage(tatMs, nowMs, address.rate);
  if ('retryAfterMs' in counted) return { waitSeconds: counted.retryAfterMs / 1000 };
  return {
    async count() {
      await turn.writeSpoken(visitor, spoken.timesMs);
      await turn.writeSpoken(ADDRESS + address.key, [counted.tatMs], { atMs: nowMs });
    },
  };
}

const refusal = (turn: ConversationTurn, { limit }: VisitorAllowance, seconds: number): RateLimited =>
  new RateLimited(limit, Math.max(1, Math.ceil(seconds)), turn.conversation.userId);

/** Counts a message to a person against the rate limits of the visitor and of the address. Throws RateLimited. */
export async function countSpokenBy(
  turn: ConversationTurn,
  allowance: VisitorAllowance,
  nowMs: number,
): Promise<void> {
  const rates = await ratesOf(turn, allowance, nowMs);
  if ('waitSeconds' in rates) throw refusal(turn, allowance, rates.waitSeconds);
  await rates.count();
}

/** Counts a message of a visitor to the agent against all limits. Throws RateLimited. */
export async function countVisitor(
  turn: ConversationTurn,
  allowance: VisitorAllowance,
  nowMs: number,
): Promise<void> {
  const { addressToday, today } = allowance;
  const [rates, [used = 0]] = await Promise.all([
    ratesOf(turn, allowance, nowMs),
    turn.spoken(ADDRESS_TODAY + addressToday.key, 'workspace'),
  ]);
  if ('waitSeconds' in rates) throw refusal(turn, allowance, rates.waitSeconds);
  if (used >= addressToday.messages) throw refusal(turn, allowance, (addressToday.endMs - nowMs) / 1000);
  await rates.count();
  await turn.writeSpoken(ADDRESS_TODAY + addressToday.key, [used + 1], {
    owner: 'workspace',
    atMs: addressToday.endMs,
  });
  turn.countVisitorMessage(today.day);
}
