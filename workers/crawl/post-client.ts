import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import { AddressRefused, guardedLookup } from './guarded-connector.js';
import type { Network } from './network.js';

/** Idle timeout of a connection in milliseconds, shorter than that of most servers. */
const IDLE_MS = 4000;

interface Post {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

/** Sends requests with a body. */
export interface PostClient {
  post(request: Post): Promise<http.IncomingMessage>;
  close(): void;
}

/**
 * Creates a client that connects to public addresses of `network`, or to any address if it is null. Uses the HTTP
 * client of Node.js, because some receivers send an unsolicited `100 Continue`, after which undici closes the
 * connection.
 */
export function createPostClient(network: Network | null): PostClient {
  const options = {
    keepAlive: true,
    timeout: IDLE_MS,
    ...(network ? { lookup: guardedLookup(network) } : {}),
  };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  return {
    post: ({ url, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const literal = url.hostname.replace(/^\[|\]$/g, '');
        if (network && isIP(literal) !== 0 && !network.isPublic(literal)) throw new AddressRefused(literal);
        const isSecure = url.protocol === 'https:';
        const agent = agents[isSecure ? 'https:' : 'http:'];
        const { request } = isSecure ? https : http;
        request(url, { method: 'POST', headers, agent, signal }, resolve).on('error', reject).end(body);
      }),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
