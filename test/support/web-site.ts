import type { Test } from 'tap';
import { loopbackServer } from './loopback-server.js';

/** A small local web site, reachable through `crawl.resolve`. */
export interface WebSite {
  origin: string;
  /** Adds or changes a page. */
  page(path: string, text: string): void;
  /** Number of requests for a path. */
  hits(path: string): number;
}

const html = (text: string): string =>
  `<!doctype html><html lang="en"><head><title>${text.slice(0, 40)}</title></head><body><main><h1>${text.slice(0, 40)}</h1>` +
  `<p>${text}</p></main></body></html>`;

export async function webSite(t: Test): Promise<WebSite> {
  const pages = new Map<string, string>();
  const hits = new Map<string, number>();
  const origin = await loopbackServer(t, (request, response) => {
    const path = request.url ?? '/';
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const text = pages.get(path);
    response.statusCode = text === undefined ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html(text ?? 'Nothing here.'));
  });
  return {
    origin,
    page: (path, text) => void pages.set(path, text),
    hits: (path) => hits.get(path) ?? 0,
  };
}
