import { Type } from '@sinclair/typebox';
import { existing } from '../../errors/api-error.js';
import { sourceTypes } from '../../knowledge/sources/source-types.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { oneOf, pageQuery, uuid } from '../../schemas/shapes.js';
import { presentSource } from '../sources/sources.presenter.js';
import { readSourceText } from './read-source-text.js';
import { optional, type Tool, tool } from './tool.js';

export const listSourcesTool: Tool = tool({
  name: 'list_sources',
  title: "List an agent's sources",
  description:
    'List titles, types and ids of the sources, newest first. Use it to see the topics of an agent; use `search` to find something in the sources. For the next page, pass `nextCursor` as `cursor`.',
  permission: 'view',
  input: Type.Object({
    ...pageQuery,
    sourceType: optional(oneOf(sourceTypes, { description: 'Only sources of this type' })),
  }),
  async run({ sourceType, limit, cursor }, { agent, services: { reads, cursors } }) {
    const list = `mcp-sources/${agent.id}/${sourceType ?? ''}`;
    const request = cursors.request(list, {
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const found = await reads.sources(agent.workspaceId, agent.id, request, sourceType ?? null);
    const { rows, total } = existing(found, 'AGENT_NOT_FOUND');
    const { data, pagination } = cursors.page(list, request, rows, total, presentSource);
    const lines = data.map(({ id, title, sourceType }) => `- ${title} (${sourceType}, documentId ${id})`);
    const { cursor: nextCursor } = pagination;
    const more = nextCursor === null ? [] : [`Next page: cursor ${nextCursor}`];
    return {
      text: [`${total} sources`, ...lines, ...more].join('\n'),
      structured: { sources: data as unknown as JsonObject[], total, nextCursor },
    };
  },
});

export const getSourceTool: Tool = tool({
  name: 'get_source',
  title: 'Read a source',
  description:
    'Read the text of one source by its `documentId`, which the other tools return. A long text is returned in parts: for the next part, pass `nextOffset` as `offset`. The `start` of a passage or citation is also an offset.',
  permission: 'view',
  input: Type.Object({
    documentId: uuid('Id of the source'),
    offset: optional(Type.Integer({ minimum: 0, default: 0, description: 'First character' })),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.mcp.sourcePage,
        default: limits.mcp.sourcePage,
        description: 'Maximum number of characters',
      }),
    ),
  }),
  async run({ documentId, offset = 0, limit = limits.mcp.sourcePage }, { agent, services, request }) {
    const id = documentId.toLowerCase();
    const document = existing(await services.reads.document(agent.id, id), 'RESOURCE_DOCUMENT_NOT_FOUND');
    const { text, nextOffset } = await readSourceText(services.reads, request, {
      agentId: agent.id,
      documentId: id,
      offset,
      limit,
    });
    const { title, sourceType } = presentSource(document);
    const more = nextOffset === null ? [] : [`Next part: offset ${nextOffset}`];
    return {
      text: [`# ${title}`, text, ...more].join('\n\n'),
      structured: { documentId: id, title, sourceType, text, offset, nextOffset },
    };
  },
});
