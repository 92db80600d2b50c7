import { auditedOperations } from '../../audit/operations.js';
import { shortenedNetwork } from '../../audit/shortened-network.js';
import type { AuditActor, ChangeContext } from '../../ports/store/audit.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Caller } from '../auth/authenticate.js';
import type { Route } from '../route.js';

function actorOf({ key, member }: Caller): AuditActor | null {
  if (member) return { type: 'user', id: member.id, label: member.name };
  return key && { type: 'key', id: key.id, label: key.name };
}

/** Returns the change that a request may make; null if it is not audited. */
export function changeOf(
  { id }: Route,
  request: { caller: Caller; requestId: string; body: unknown; network: () => string },
  agentId: string | null,
  atMs: number,
): ChangeContext | null {
  const actor = id in auditedOperations ? actorOf(request.caller) : null;
  return (
    actor && {
      workspaceId: request.caller.workspaceId,
      actor,
      action: id,
      agentId,
      requestId: request.requestId,
      address: shortenedNetwork(request.network()),
      atMs,
      sent: (request.body ?? {}) as JsonObject,
    }
  );
}
