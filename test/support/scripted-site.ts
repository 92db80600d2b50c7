import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Behaviour = (request: IncomingMessage, response: ServerResponse, visit: number) => void;

/** A local site with scripted pages, reachable through `crawl.resolve`. */
export interface ScriptedSite {
  origin: string;
  on(path: string, behaviour: Behaviour): void;
  page(path: string, text: string): void;
  /** Number of requests for a path. */
  visits(path: string): number;
  close(): Promise<void>;
}

const html = (path: string, text: string): string =>
  `<!doctype html><html lang="en"><title>About ${path}</title><main><h1>About ${path}</h1><p>${text}</p></main></html>`;

export async function scriptedSite(): Promise<ScriptedSite> {
  const behaviours = new Map<string, Behaviour>();
  const visits = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const visit = (visits.get(path) ?? 0) + 1;
    visits.set(path, visit);
    const behaviour = behaviours.get(path);
    if (behaviour) behaviour(request, response, visit);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on: (path, behaviour) => void behaviours.set(path, behaviour),
    page: (path, text) =>
      void behaviours.set(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(path, text));
      }),
    visits: (path) => visits.get(path) ?? 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
