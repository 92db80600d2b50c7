import { ApiError, invalidField } from '../../errors/api-error.js';
import type { McpResource, McpResources } from '../../ports/mcp.port.js';
import { limits } from '../../schemas/limits.js';
import { isUuid } from '../../schemas/uuid.js';
import { agentOfKey, agentsOfKey } from '../agents/agents-of-key.js';
import { NOT_ISSUED } from '../pipeline/cursor.js';
import type { Services } from '../services.js';
import { readSourceText } from './read-source-text.js';
import type { ToolRequest } from './tool.js';

const SCHEME = 'cadre';
const MIME_TYPE = 'text/plain';
/** Maximum number of agents whose sources are listed, newest first. */
const MOST_AGENTS = 1000;
/** Maximum number of agents without sources that one request skips. */
const MOST_EMPTY = 20;

const uriOf = (agentId: string, documentId: string): string =>
  `${SCHEME}://agents/${agentId}/sources/${documentId}`;

const PATTERN = new RegExp(`^${SCHEME}://agents/([^/]+)/sources/([^/]+)$`, 'i');

const CUT = '\n\n(The text continues. Read the rest with the tool get_source.)';

/** Returns the sources of all agents of the key: agent by agent, newest first. */
export const sourceResources = (
  { reads, cursors }: Pick<Services, 'reads' | 'cursors'>,
  request: Pick<ToolRequest, 'caller' | 'reserve'>,
): McpResources => ({
  async list(cursor) {
    const { caller } = request;
    const agents = await agentsOfKey(reads, caller, MOST_AGENTS);
    // A cursor is the id of an agent with the cursor in the list of its sources.
    const [agentId, within = ''] = cursor?.split('.') ?? [];
    const from = agentId === undefined ? 0 : agents.findIndex(({ id }) => id === agentId);
    if (from === -1) throw invalidField('cursor', NOT_ISSUED);
    const resources: McpResource[] = [];
    for (const [n, { id, workspaceId }] of agents.slice(from).entries()) {
      if (n === MOST_EMPTY) return { resources, nextCursor: `${id}.` };
      const list = `mcp-resources/${id}`;
      const page = cursors.request(list, {
        limit: limits.page.max,
        ...(n === 0 && within !== '' ? { cursor: within } : {}),
      });
      const found = await reads.sources(workspaceId, id, page, null);
      if (found === null || found.rows.length === 0) continue;
      const { data, pagination } = cursors.page(list, page, found.rows, found.total, (row) => ({
        uri: uriOf(id, row.id),
        name: row.title,
        mimeType: MIME_TYPE,
      }));
      const next = agents[from + n + 1];
      const following = next === undefined ? null : `${next.id}.`;
      return {
        resources: data,
        nextCursor: pagination.cursor === null ? following : `${id}.${pagination.cursor}`,
      };
    }
    return { resources, nextCursor: null };
  },
  async read(uri) {
    const [, agentId = '', documentId = ''] = PATTERN.exec(uri) ?? [];
    if (!isUuid(documentId)) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
    const { agent } = await agentOfKey(reads, request.caller, agentId);
    const { text, nextOffset } = await readSourceText(reads, request, {
      agentId: agent.id,
      documentId: documentId.toLowerCase(),
      offset: 0,
      limit: limits.mcp.sourceText,
    });
    return { mimeType: MIME_TYPE, text: nextOffset === null ? text : text + CUT };
  },
});
