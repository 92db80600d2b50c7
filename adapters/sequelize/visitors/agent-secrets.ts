import type { AgentSecrets, TurnSecrets } from '../../../core/ports/store/agents/agent-secrets.js';
import type { Connection } from '../database/connection.js';
import type { Statements } from '../database/statements.js';
import { agentSecrets, secretOf } from '../tables/visitors.js';

const find = `SELECT ${agentSecrets.list()} FROM agent_secrets WHERE agent_id = ? AND name = ?`;
const remove = 'DELETE FROM agent_secrets WHERE agent_id = ? AND name = ?';
const insert = `INSERT INTO agent_secrets (agent_id, name, id, secret, previous_secret, previous_until, request_hash, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export const createAgentSecrets = ({ read }: Connection): AgentSecrets => ({
  async find(agentId, name) {
    const [row] = await read(find, [agentId, name]);
    return row ? secretOf(row) : null;
  },
  any: async () =>
    (await read('SELECT agent_id FROM agent_secrets LIMIT 1', [])).length > 0 ||
    (await read('SELECT agent_id FROM channel_connections WHERE token IS NOT NULL LIMIT 1', [])).length > 0 ||
    (await read('SELECT id FROM webhooks LIMIT 1', [])).length > 0,
});

/** `execute` counts as a write of the turn. */
export const turnSecrets = (
  { select, execute }: Pick<Statements, 'select' | 'execute'>,
  agentId: string,
): TurnSecrets => ({
  async find(name) {
    const [row] = await select(find, [agentId, name]);
    return row ? secretOf(row) : null;
  },
  async put(name, { id, secret, previousSecret, previousUntil, requestHash, createdAt }) {
    await execute(remove, [agentId, name]);
    const values = [id, secret, previousSecret, previousUntil, requestHash, createdAt];
    await execute(insert, [agentId, name, ...values]);
  },
  async remove(name) {
    await execute(remove, [agentId, name]);
  },
});
