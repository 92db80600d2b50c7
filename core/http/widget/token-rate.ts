import { LRUCache } from 'lru-cache';
import { overloaded } from '../../errors/api-error.js';
import { countMessage } from '../../visitors/limits.js';

/** Maximum rate of tokens that this process issues to one address. */
const RATE = { messages: 120, windowMs: 60_000 };
const MAX_ADDRESSES = 20_000;

class TooManyTokens extends Error {
  override name = 'TooManyTokens';
}

/** Returns a function that counts a token. It throws 503 if the address gets too many. */
export function createTokenRate(now = () => performance.now()): (network: string) => void {
  const tats = new LRUCache<string, number>({ max: MAX_ADDRESSES });
  return (network) => {
    const counted = countMessage(tats.get(network) ?? 0, now(), RATE);
    if ('retryAfterMs' in counted)
      throw overloaded(new TooManyTokens('too many visitor tokens for one address'));
    tats.set(network, counted.tatMs);
  };
}
