import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import { AddressRefused, guardedLookup } from './guarded-connector.js';
import type { Network } from './network.js';

/** Idle connections end before most servers close them. */
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
 * Uses the client of Node, because undici takes an unsolicited `100 Continue` for the end of the connection, and some
 * receivers send it. Connects to public addresses of `network` only; null for any address.
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
