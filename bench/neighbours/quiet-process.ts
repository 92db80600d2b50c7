import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { client } from '../../test/support/flows.js';
import { type QuietTenant, work } from './quiet-tenant.js';

/*
 * The quiet tenant's process, with its web site. It says where that site is, and is told of its agent. Then it works
 * for as many milliseconds as each message says, and answers what it saw.
 */

/** What it is told of its agent. `site`: the origin under which the service finds the site. */
export interface Begin {
  origin: string;
  key: string;
  agentId: string;
  site: string;
}

const server = createServer(({ url }, response) => {
  if (url === '/robots.txt') return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><title>A page</title><main><p>This page explains one thing well.</p></main>');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

const [{ origin, key, agentId, site }] = (await once(process, 'message')) as [Begin];
const tenant: QuietTenant = {
  api: client(origin, key),
  agentId,
  origin,
  pageUrl: (name) => `${site}/${name}`,
};

process.on('message', async (ms: number) => {
  const end = performance.now() + ms;
  const seen = await work(tenant, () => performance.now() > end);
  process.send?.(seen);
});
