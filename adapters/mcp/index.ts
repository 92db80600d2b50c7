import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Log } from '../../core/ports/log.port.js';
import type { Mcp, McpOffer } from '../../core/ports/mcp.port.js';

/** Interval of keep-alive comments on an idle stream, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/** Placeholder for the request's URL. Only its path matters. */
const URL_OF_REQUEST = 'http://localhost/mcp';

/** Serves the Model Context Protocol with its SDK, which is loaded on the first request. */
export function mcpServer({ version, log }: { version: string; log: Log }): Mcp {
  let loaded: Promise<McpHttpHandler> | undefined;

  async function load(): Promise<McpHttpHandler> {
    const [{ createMcpHandler }, { createOfferServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./offer-server.js'),
    ]);
    return createMcpHandler(
      ({ authInfo }) => createOfferServer(authInfo?.extra?.offer as McpOffer, version),
      {
        onerror: (cause) => log.debug({ err: cause }, 'a message of an MCP client was refused'),
        keepAliveMs: KEEP_ALIVE_MS,
        // Clients cannot subscribe to changes of tools and resources.
        maxSubscriptions: 0,
      },
    );
  }

  return {
    async answer({ headers, body, signal }, offer) {
      loaded ??= load();
      const handler = await loaded;
      const response = await handler.fetch(new Request(URL_OF_REQUEST, { method: 'POST', headers, signal }), {
        parsedBody: body,
        // The service has already authenticated the client. `extra` passes the offer to the factory above.
        authInfo: { token: '', clientId: '', scopes: [], extra: { offer } },
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: response.body,
      };
    },
  };
}
