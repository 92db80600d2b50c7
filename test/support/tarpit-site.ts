import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Sites that waste the crawler's time, and a normal site, on one local server. */
export interface TarpitSite {
  /** For `crawl.resolve`: the real address of every origin. */
  resolve: Record<string, string>;
  /** A page that responds at once. */
  quickPage(name: string): string;
  /** A page that never responds, on one of the `hosts` tarpit hosts. */
  tarpit(n: number): string;
  /** The first of `hops` redirecting pages, each on its own host with a robots.txt that takes `robotsMs`. */
  slowRobots(n: number): string;
  /** Number of pending requests. */
  held(): number;
  /** Responds to pending tarpit pages and all later ones. */
  release(): void;
  close(): Promise<void>;
}

export interface TarpitOptions {
  /** Tarpit hosts. */
  hosts: number;
  /** Chains of pages with a slow robots.txt, and their length. */
  chains: number;
  hops: number;
  robotsMs: number;
}

const DOMAIN = 'tarpit.example';
const quickHost = `quick.${DOMAIN}`;
const tarpitHost = (n: number): string => `pit-${n}.${DOMAIN}`;
const chainHost = (chain: number, hop: number): string => `chain-${chain}-hop-${hop}.${DOMAIN}`;

/** Starts the sites, which are reachable through `crawl.resolve`. */
export async function startTarpitSite({ hosts, chains, hops, robotsMs }: TarpitOptions): Promise<TarpitSite> {
  const waiting = new Set<ServerResponse>();
  const timers = new Set<NodeJS.Timeout>();
  let released = false;

  const page = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      '<!doctype html><title>A page</title><main><p>This page explains one thing well.</p></main>',
    );
  };

  const hold = (response: ServerResponse): void => {
    if (released) {
      page(response);
      return;
    }
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
  };

  const slowly = (response: ServerResponse): void => {
    waiting.add(response);
    const timer = setTimeout(() => response.writeHead(404).end(), released ? 0 : robotsMs);
    timers.add(timer);
    response.once('close', () => {
      waiting.delete(response);
      timers.delete(timer);
      clearTimeout(timer);
    });
  };

  const onChain = (response: ServerResponse, path: string, chain: number, hop: number): void => {
    if (path === '/robots.txt') slowly(response);
    else if (hop + 1 < hops)
      response.writeHead(302, { location: `https://${chainHost(chain, hop + 1)}/` }).end();
    else page(response);
  };

  const answer = ({ url = '/', headers: { host = '' } }: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => {});
    const chain = /^chain-(\d+)-hop-(\d+)\./.exec(host);
    if (chain) onChain(response, url, Number(chain[1]), Number(chain[2]));
    else if (url === '/robots.txt') response.writeHead(404).end();
    else if (host === quickHost) page(response);
    else hold(response);
  };

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
  const names = [
    quickHost,
    ...numbers(hosts).map(tarpitHost),
    ...numbers(chains).flatMap((chain) => numbers(hops).map((hop) => chainHost(chain, hop))),
  ];
  return {
    resolve: Object.fromEntries(names.map((name) => [`https://${name}`, here])),
    quickPage: (name) => `https://${quickHost}/${name}`,
    tarpit: (n) => `https://${tarpitHost(n % hosts)}/${n}`,
    slowRobots: (n) => `https://${chainHost(n % chains, 0)}/${n}`,
    held: () => waiting.size,
    release() {
      released = true;
      for (const response of waiting) if (!response.headersSent) page(response);
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
