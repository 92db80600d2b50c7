import { keyReused } from '../errors/api-error.js';
import type { BoundKey } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationReads } from '../ports/store/conversations/conversations.js';
import type { StoredResponses } from '../ports/store/stored-responses.js';
import { unexpired } from '../stored-responses.js';

/** Hashes of an idempotency key and of its request. */
export interface RequestKey {
  hash: string;
  fingerprint: string;
}

/** Finds the message to which a key is bound. Throws 400 if the key was used for another request. `now` in Unix seconds. */
export async function boundKey(
  { reads, responses }: { reads: Pick<ConversationReads, 'key'>; responses: Pick<StoredResponses, 'forget'> },
  { agentId, key, now }: { agentId: string; key: RequestKey | null; now: number },
): Promise<BoundKey | null> {
  if (key === null) return null;
  const found = await reads.key(agentId, key.hash);
  const bound = await unexpired(found, { responses, ownerId: agentId, now });
  if (bound && bound.fingerprint !== key.fingerprint) throw keyReused();
  return bound;
}
