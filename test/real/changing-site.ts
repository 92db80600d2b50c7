import type { ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { loopbackServer } from '../support/loopback-server.js';

/** A web site whose pages state their edition. */
export interface ChangingSite {
  /** Of this machine. */
  origin: string;
  edition: number;
  /** From now on, requests of this user agent hang; resolves once it has sent one. */
  hold(userAgent: string): Promise<string>;
  /** Answers all requests again, including hanging ones. */
  release(): void;
}

const PAUSE_MS = 20;

export async function changingSite(t: Test): Promise<ChangingSite> {
  let heldAgent: string | null = null;
  let onHeld: (path: string) => void = () => {};
  let held: (() => void)[] = [];

  const answer = (path: string, response: ServerResponse): void => {
    const { edition } = site;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1>` +
        `<p>This page explains one thing well. Edition ${edition}.</p></main>`,
    );
  };
  const origin = await loopbackServer(t, ({ url = '/', headers }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end();
    if (heldAgent !== null && headers['user-agent'] === heldAgent) {
      held.push(() => answer(url, response));
      return onHeld(url);
    }
    setTimeout(() => answer(url, response), PAUSE_MS);
  });

  const site: ChangingSite = {
    origin,
    edition: 0,
    hold(userAgent) {
      heldAgent = userAgent;
      return new Promise((resolve) => {
        onHeld = resolve;
      });
    },
    release() {
      heldAgent = null;
      for (const go of held) go();
      held = [];
    },
  };
  return site;
}
