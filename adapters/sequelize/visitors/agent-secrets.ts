import type { AgentSecrets } from '../../../core/ports/store/agents/agent-secrets.js';
import type { Connection } from '../database/connection.js';
import { findSecret, secretOf } from '../tables/visitors.js';

export const createAgentSecrets = ({ read }: Connection): AgentSecrets => ({
  async find(agentId, name) {
    const [row] = await read(findSecret, [agentId, name]);
    return row ? secretOf(row) : null;
  },
  any: async () =>
    (await read('SELECT agent_id FROM agent_secrets LIMIT 1', [])).length > 0 ||
    (await read('SELECT agent_id FROM channel_connections WHERE token IS NOT NULL LIMIT 1', [])).length > 0 ||
    (await read('SELECT id FROM webhooks LIMIT 1', [])).length > 0,
});
