import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Log } from '../../core/ports/log.port.js';
import type { Mcp, McpOffer } from '../../core/ports/mcp.port.js';

/** Interval of comments that keep an idle stream open. */
const KEEP_ALIVE_MS = 10_000;

/** Placeholder, because only path and headers of the request matter. */
const URL_OF_REQUEST = 'http://localhost/mcp';

/** Serves the protocol with its SDK, which is loaded with the first request. */
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
        // The lists of tools and resources announce no changes.
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
        // The service has authenticated the client; `extra` hands the offer to the factory above.
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
