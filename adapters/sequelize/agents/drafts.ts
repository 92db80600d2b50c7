import type { Drafts } from '../../../core/ports/store/agents/drafts.js';
import type { Connection } from '../database/connection.js';
import { draftOf, drafts } from '../tables/drafts.js';

export const createDrafts = ({ read }: Connection): Drafts => ({
  async find(agentId) {
    const [row] = await read(`SELECT ${drafts.list()} FROM agent_drafts WHERE agent_id = ?`, [agentId]);
    return row ? draftOf(row) : null;
  },
});
