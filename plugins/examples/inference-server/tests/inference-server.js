import { once } from 'node:events';
import { createServer } from 'node:http';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * A server that plays one scene for every request.
 * @param {(response: ServerResponse, body: { texts: string[] }) => void} play
 */
export async function openInferenceServer(play) {
  const server = createServer(async (/** @type {IncomingMessage} */ request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    play(response, JSON.parse(text));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {object} value */
export const line = (value) => `${JSON.stringify(value)}\n`;
