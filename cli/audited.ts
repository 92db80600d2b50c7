import { auditing } from '../core/audit/change.js';
import type { JsonObject } from '../core/schemas/json.js';
import type { Installation } from './installation.js';

interface Change {
  /** Id of the operation, or a name of its own for changes that the API does not offer. */
  action: string;
  /** Null for changes of a user: each workspace of the user gets a row. */
  workspaceId: string | null;
  agentId?: string;
  sent?: JsonObject;
}

/** Runs a change of the operator, which leaves a row in the audit log. */
export const audited = <T>(
  { clock }: Pick<Installation, 'clock'>,
  { action, workspaceId, agentId, sent = {} }: Change,
  work: () => Promise<T>,
): Promise<T> =>
  auditing(
    {
      workspaceId: workspaceId ?? '',
      actor: { type: 'cli', id: null, label: 'command line' },
      action,
      agentId: agentId ?? null,
      requestId: null,
      address: null,
      atMs: clock.now(),
      sent,
    },
    work,
  );
