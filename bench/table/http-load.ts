import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Result of one round of requests. */
export interface Load {
  perSecond: number;
  p50: number;
  p99: number;
  /** Unexpected statuses and broken connections. */
  failed: number;
}

export interface Request {
  method: string;
  path: string;
  body?: object;
}

interface LoadOptions {
  baseUrl: string;
  key: string;
  connections: number;
  ms: number;
  /** The expected status. */
  status: number;
  /** Returns the next request; null at the end. */
  next(): Request | null;
}

/**
 * Sends requests sequentially on each of several kept connections. Uses bare sockets, so that it needs much less CPU
 * time than the measured server.
 */
export async function load({ baseUrl, key, connections, ms, status, next }: LoadOptions): Promise<Load> {
  const { hostname, port, host } = new URL(baseUrl);
  const times: number[] = [];
  let failed = 0;
  const wanted = `HTTP/1.1 ${status} `;
  const bytesOf = ({ method, path, body }: Request): string => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = body
      ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
      : '';
    return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n${headers}\r\n${text}`;
  };
  const start = performance.now();
  const end = start + ms;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      await once(socket, 'connect');
      const answers = answersOn(socket);
      while (performance.now() < end) {
        const request = next();
        if (request === null) break;
        const bytes = bytesOf(request);
        const sentAt = performance.now();
        socket.write(bytes);
        const head = await answers();
        if (head === null) {
          failed += 1;
          break;
        }
        times.push(performance.now() - sentAt);
        if (!head.startsWith(wanted)) failed += 1;
      }
      socket.destroy();
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: (times.length - failed) / seconds, p50: at(0.5), p99: at(0.99), failed };
}

/** Returns the head of the next response after its body has arrived; null if the connection was lost. */
function answersOn(socket: Socket): () => Promise<string | null> {
  let waiting: ((head: string | null) => void) | null = null;
  let gone = false;
  let head = '';
  let missing = -1;
  let rest = Buffer.alloc(0);
  const settle = (value: string | null) => {
    const resolve = waiting;
    waiting = null;
    resolve?.(value);
  };
  socket.on('data', (data) => {
    let bytes = rest.length === 0 ? data : Buffer.concat([rest, data]);
    rest = Buffer.alloc(0);
    if (missing < 0) {
      const headEnd = bytes.indexOf('\r\n\r\n');
      if (headEnd < 0) {
        rest = bytes;
        return;
      }
      head = bytes.toString('latin1', 0, headEnd);
      missing = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      bytes = bytes.subarray(headEnd + 4);
    }
    missing -= bytes.length;
    if (missing > 0) return;
    missing = -1;
    settle(head);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    gone = true;
    settle(null);
  });
  return () =>
    new Promise((resolve) => {
      waiting = resolve;
      if (gone) settle(null);
    });
}
