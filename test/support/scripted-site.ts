import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `visit` counts the requests for the path from 1. */
type Answer = (request: IncomingMessage, response: ServerResponse, visit: number) => void;

/** A site on the loopback interface, reachable through `crawl.resolve`. Unknown paths return 404. */
export interface ScriptedSite {
  origin: string;
  port: number;
  on(path: string, answer: Answer): void;
  /** Serves a body with headers and a status. */
  serve(path: string, body: string | Buffer, headers?: Record<string, string>, status?: number): void;
  /** Adds or changes a page. */
  page(path: string, text: string): void;
  /** Number of requests for a path. */
  visits(path: string): number;
  seen: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

const html = (text: string): string =>
  `<!doctype html><html lang="en"><title>${text.slice(0, 40)}</title><main><h1>${text.slice(0, 40)}</h1><p>${text}</p></main></html>`;

export async function scriptedSite(host = '127.0.0.1'): Promise<ScriptedSite> {
  const answers = new Map<string, Answer>();
  const seen: ScriptedSite['seen'] = [];
  const visits = (path: string): number => seen.filter((visit) => visit.path === path).length;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push({ path, headers: request.headers });
    response.on('error', () => {});
    const answer = answers.get(path);
    if (answer) answer(request, response, visits(path));
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const serve: ScriptedSite['serve'] = (
    path,
    body,
    headers = { 'content-type': 'text/html' },
    status = 200,
  ) => {
    answers.set(path, (_, response) => response.writeHead(status, headers).end(body));
  };
  return {
    origin: `http://${host}:${port}`,
    port,
    on: (path, answer) => answers.set(path, answer),
    serve,
    page: (path, text) => serve(path, html(text), { 'content-type': 'text/html; charset=utf-8' }),
    visits,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
