import type { Agents } from '../../actors/agent/agents.js';
import type { MessageKind, MessageOf, ReplyOf } from '../../actors/agent/messages.js';
import { ApiError, keyReused } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import { KeyTaken } from '../../ports/store/store-errors.js';
import type { StoredResponse } from '../../ports/store/stored-responses.js';
import { unexpired } from '../../stored-responses.js';
import type { JsonResponse, Route, RouteResponse } from '../route.js';
import type { Services } from '../services.js';
import { type Idempotency, openResponse } from './idempotency.js';

/**
 * Handles a request. A repeated request gets the stored response. Throws 400 if its key was used for another request.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export async function respondOnce(
  { responses, clock, keyring }: Pick<Services, 'responses' | 'clock' | 'keyring'>,
  {
    ownerId,
    idempotency,
    stores,
  }: { ownerId: string; idempotency: Idempotency | null; stores: Route['idempotent'] },
  handle: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  if (!idempotency || stores === 'itself') return handle();
  const { hash: keyHash, fingerprint } = idempotency;
  const before = async (): Promise<RouteResponse | null> => {
    const found = await responses.find(ownerId, keyHash);
    const stored = await unexpired(found, { responses, ownerId, now: seconds(clock.now()) });
    const response = responseTo(stored, fingerprint);
    return response && openResponse(keyring, ownerId, response);
  };
  try {
    const known = await before();
    if (known) return known;
    const response = await handle();
    if (stores === 'afterwards' && 'body' in response)
      await responses.keep(ownerId, {
        keyHash,
        fingerprint,
        response,
        createdAt: seconds(clock.now()),
      });
    return response;
  } catch (error) {
    // The refusal may be caused by the same request, which has committed in the meantime.
    const refused = error instanceof KeyTaken || error instanceof ApiError;
    const known = refused && (await before());
    if (known) return known;
    // The stored response has expired in the meantime.
    if (error instanceof KeyTaken)
      return respondOnce({ responses, clock, keyring }, { ownerId, idempotency, stores }, handle);
    throw error;
  }
}

/** Returns the stored response, or null. Throws 400 if it belongs to another request. */
function responseTo(stored: StoredResponse | null, fingerprint: string): JsonResponse | null {
  if (!stored) return null;
  if (stored.fingerprint !== fingerprint || !stored.response) throw keyReused();
  return stored.response;
}

/**
 * Sends a message to the agent, and presents the reply. With a key, the turn stores the response for a day, or until
 * `expiresAt` if that is sooner.
 */
export async function responseOf<K extends MessageKind>(
  agents: Agents,
  {
    agentId,
    idempotency,
    ...lifetime
  }: { agentId: string; idempotency: Idempotency | null; expiresAt?: number },
  message: MessageOf<K>,
  present: (reply: ReplyOf<K>) => JsonResponse,
): Promise<JsonResponse> {
  if (!idempotency) return present(await agents.send(agentId, message));
  const { hash: keyHash, fingerprint } = idempotency;
  return present(
    await agents.send(agentId, message, { keyHash, fingerprint, responseOf: present, ...lifetime }),
  );
}
