import type { AgentReads, SourceOrder } from '../../../core/ports/store/agents/agent-reads.js';
import { MOST_COUNTED } from '../../../core/ports/store/pages.js';
import type { Connection } from '../database/connection.js';
import { containing } from '../database/matching.js';
import { seek } from '../database/seek.js';
import { shownFields, shownOf } from '../tables/documents.js';

/** Orders of a list of sources; each continues with the id. */
const orders: Record<SourceOrder, string> = {
  createdAt: 'documents.created_at',
  updatedAt: 'documents.updated_at',
  name: 'LOWER(documents.title)',
  size: 'documents.bytes',
};

/**
 * Finds and sorts sources. Sorts all that match, because no index has these orders: an agent has some thousand sources.
 */
export const createSourceSearch =
  (connection: Connection): AgentReads['searchSources'] =>
  async (agentId, { limit, before }, { sourceType, text, order, isDescending }) => {
    const matching =
      text === null ? { sql: '', params: [] } : containing(['documents.title', 'documents.url'], text);
    const conditions = ['documents.agent_id = ?', sourceType && 'documents.source_type = ?', matching.sql]
      .filter(Boolean)
      .join(' AND ');
    const params = [agentId, ...(sourceType === null ? [] : [sourceType]), ...matching.params];
    const from = `FROM documents${seek(connection, sourceType === null ? 'documents_agent' : 'documents_type')} WHERE ${conditions}`;
    const key = orders[order];
    const [sign, way] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
    const [id, value] = before === null ? [] : [before.slice(0, ID_LENGTH), before.slice(ID_LENGTH)];
    const position = order === 'name' ? value : Number(value);
    const after = before === null ? '' : ` AND (${key} ${sign} ? OR (${key} = ? AND documents.id ${sign} ?))`;
    const [rows, [counted]] = await Promise.all([
      connection.read(
        `SELECT ${key} AS position, ${shownFields} ${from}${after} ORDER BY position ${way}, documents.id ${way} LIMIT ${limit + 1}`,
        before === null ? params : [...params, position, position, id],
      ),
      connection.read(
        `SELECT COUNT(*) AS n FROM (SELECT documents.id ${from} LIMIT ${MOST_COUNTED}) AS found`,
        params,
      ),
    ]);
    return {
      rows: rows.map((row) => ({ id: `${row.id}${row.position}`, source: shownOf(row) })),
      total: Number(counted?.n ?? 0),
    };
  };

/** Length of a UUID, which begins a position in the list. */
const ID_LENGTH = 36;
