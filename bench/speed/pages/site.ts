import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sitePages } from './site-pages.js';

/** The process that serves the pages, from memory. Says its URLs; ends with its parent. */
const HOSTS = 8;
const pages = new Map(
  sitePages(Number(process.argv[2]), process.argv[3] === 'mixed').map((page, n) => [
    `/host-${n % HOSTS}/page-${n}.html`,
    page,
  ]),
);
// A connection that a slow contender left idle must not be closed under its next request.
const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const page = pages.get(request.url ?? '');
  if (page) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  else response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.([...pages.keys()].map((path) => `http://127.0.0.1:${port}${path}`));
});
process.on('disconnect', () => process.exit(0));
