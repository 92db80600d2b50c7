import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a page. */
export interface Visit {
  at: number;
  userAgent: string;
}

/** A web site with every page; each states its edition. Some are so large that their text travels through storage. */
export interface SiegeSite {
  /** Its local address. */
  origin: string;
  edition: number;
  /** Response time of a page, in milliseconds. */
  pauseMs: number;
  /** Requests so far, in order. */
  visits(path: string): Visit[];
  /** Pages below this path get no response until `release`. */
  hold(prefix: string): void;
  release(): void;
  close(): Promise<void>;
}

const BIG_BYTES = 40_000;
const sentence = 'This page explains one thing well, and the next one explains another thing as well. ';

/** Every tenth page is large. */
const isBig = (path: string): boolean => path.endsWith('0');

const page = (path: string, edition: number): string => {
  const more = isBig(path) ? `<p>${sentence.repeat(Math.ceil(BIG_BYTES / sentence.length))}</p>` : '';
  return (
    `<!doctype html><html lang="en"><title>Page ${path}</title><main><h1>Page ${path}</h1>` +
    `<p>${sentence}Edition ${edition}.</p>${more}</main></html>`
  );
};

export async function openSite(): Promise<SiegeSite> {
  const visits = new Map<string, Visit[]>();
  let held: (() => void)[] = [];
  let prefix: string | null = null;

  const answer = (path: string, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page(path, site.edition));
  };
  const server = createServer(({ url: path = '/', headers }, response) => {
    if (path === '/robots.txt') {
      response.writeHead(404).end();
      return;
    }
    const visit = { at: Date.now(), userAgent: headers['user-agent'] ?? '' };
    const before = visits.get(path);
    if (before) before.push(visit);
    else visits.set(path, [visit]);
    if (prefix !== null && path.startsWith(prefix)) held.push(() => answer(path, response));
    else setTimeout(() => answer(path, response), site.pauseMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const site: SiegeSite = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    edition: 0,
    pauseMs: 20,
    visits: (path) => visits.get(path) ?? [],
    hold(below) {
      prefix = below;
    },
    release() {
      prefix = null;
      for (const go of held) go();
      held = [];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}
