import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** A small web site on this machine, to be reached through `crawl.resolve`. */
export interface WebSite {
  origin: string;
  /** Puts a page there, or changes it. */
  page(path: string, text: string): void;
  /** Requests for a path so far. */
  hits(path: string): number;
}

const html = (text: string): string =>
  `<!doctype html><html lang="en"><head><title>${text.slice(0, 40)}</title></head><body><main><h1>${text.slice(0, 40)}</h1>` +
  `<p>${text}</p></main></body></html>`;

export async function webSite(t: Test): Promise<WebSite> {
  const pages = new Map<string, string>();
  const hits = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const text = pages.get(path);
    response.statusCode = text === undefined ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html(text ?? 'Nothing here.'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    page: (path, text) => void pages.set(path, text),
    hits: (path) => hits.get(path) ?? 0,
  };
}
