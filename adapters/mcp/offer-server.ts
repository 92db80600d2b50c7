import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { ApiError } from '../../core/errors/api-error.js';
import type { McpOffer, McpResources, McpToolResult } from '../../core/ports/mcp.port.js';
import type { JsonObject } from '../../core/schemas/json.js';

/** All tools are read-only and limited to the agents of the API key. */
const annotations = { readOnlyHint: true, openWorldHint: false };

/** Creates the server for one request. */
export function createOfferServer(offer: McpOffer, version: string): Server {
  const { resources, instructions } = offer;
  const server = new Server(
    { name: 'cadre', title: 'Cadre', version },
    { capabilities: { tools: {}, ...(resources ? { resources: {} } : {}) }, instructions },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: (await offer.tools()).map((tool) => ({
      ...tool,
      inputSchema: tool.inputSchema as JsonObject & { type: 'object' },
      annotations,
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { signal, _meta, notify } = mcpReq;
    const progressToken = _meta?.progressToken;
    const result = await offer.call(params.name, (params.arguments ?? {}) as JsonObject, {
      signal,
      progress(progress, message) {
        if (progressToken === undefined) return;
        const notification = {
          method: 'notifications/progress',
          params: { progressToken, progress, message },
        };
        // The client may have disconnected.
        notify(notification).catch(() => {});
      },
    });
    if (result === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return presented(result);
  });
  if (resources) addResources(server, resources);
  return server;
}

const presented = ({ text, structured, isError }: McpToolResult) => ({
  content: [{ type: 'text' as const, text }],
  ...(structured ? { structuredContent: structured } : {}),
  ...(isError ? { isError } : {}),
});

function addResources(server: Server, { list, read }: McpResources): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { resources, nextCursor } = await list(params?.cursor).catch((error: unknown) => {
      throw refusal(error, (message) => new ProtocolError(ProtocolErrorCode.InvalidParams, message));
    });
    return { resources, ...(nextCursor === null ? {} : { nextCursor }) };
  });
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const content = await read(uri).catch((error: unknown) => {
      throw refusal(error, (message) => new ResourceNotFoundError(uri, message));
    });
    return { contents: [{ uri, ...content }] };
  });
}

/** Converts a 4xx of core to an error of the protocol. The client gets no details of other errors. */
const refusal = (error: unknown, refuse: (message: string) => Error): Error =>
  error instanceof ApiError && error.status < 500
    ? refuse(error.message)
    : new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side. Try again.');
