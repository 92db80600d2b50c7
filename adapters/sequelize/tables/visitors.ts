import type { AgentSecret } from '../../../core/ports/store/agents/agent-secrets.js';
import type { VisitedAgent } from '../../../core/ports/store/conversations/visitors.js';
import type { Row } from '../database/connection.js';
import { bigint, bytes, orNull, text, uuid } from './column.js';
import { table } from './table.js';
import { workspaceOf } from './workspaces.js';

export const agentSecrets = table('agent_secrets', {
  id: uuid,
  secret: bytes,
  previousSecret: orNull(bytes),
  previousUntil: orNull(bigint),
  requestHash: orNull(text()),
  createdAt: bigint,
});

export const secretOf = (row: Row): AgentSecret => agentSecrets.decode(row);

/** Columns that `visitedOf` decodes. */
export const visitedFields =
  'agents.id AS agent_id, agents.name AS agent_name, agents.settings, agent_secrets.id AS secret_id, workspaces.*';

export const visitedOf = (row: Row): VisitedAgent => ({
  id: row.agent_id as string,
  name: row.agent_name as string,
  settings: JSON.parse(row.settings as string),
  workspace: workspaceOf(row),
  identitySecretId: (row.secret_id as string | null) ?? null,
});

/** Parameters: the agent's id and the secret's name. */
export const findSecret = `SELECT ${agentSecrets.list()} FROM agent_secrets WHERE agent_id = ? AND name = ?`;
