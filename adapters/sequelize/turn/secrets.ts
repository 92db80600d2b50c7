import type { TurnSecrets } from '../../../core/ports/store/agents/agent-secrets.js';
import type { Statements } from '../database/statements.js';
import { findSecret, secretOf } from '../tables/visitors.js';

const remove = 'DELETE FROM agent_secrets WHERE agent_id = ? AND name = ?';
const insert = `INSERT INTO agent_secrets (agent_id, name, id, secret, previous_secret, previous_until, request_hash, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** `execute` counts as a write of the turn. */
export const turnSecrets = (
  { select, execute }: Pick<Statements, 'select' | 'execute'>,
  agentId: string,
): TurnSecrets => ({
  async find(name) {
    const [row] = await select(findSecret, [agentId, name]);
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
