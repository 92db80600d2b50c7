import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/* Clients that do what libraries would not let them: written to the socket by hand. */

export interface Raw {
  origin: string;
  key: string;
}

const head = ({ origin, key }: Raw, method: string, path: string, more: string[] = []): string =>
  [
    `${method} /api/v2${path} HTTP/1.1`,
    `host: ${new URL(origin).host}`,
    `authorization: Bearer ${key}`,
    ...more,
    '',
    '',
  ].join('\r\n');

function open({ origin }: Raw): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  // Being cut off is what such a client must expect.
  return socket.on('error', () => {});
}

/** Keeps `count` of them open until `over`; one that is cut off comes back. */
export async function keepOpen(count: number, over: () => boolean, start: () => Socket): Promise<void> {
  const sockets = new Set<Socket>();
  while (!over()) {
    for (let missing = count - sockets.size; missing > 0; missing -= 1) {
      const socket = start();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    await pause(100);
  }
  for (const socket of sockets) socket.destroy();
}

/** Asks for the same big answer again and again, and reads none of it. */
export function unread(raw: Raw, path: string, times: number): Socket {
  const socket = open(raw).pause();
  socket.write(head(raw, 'GET', path).repeat(times));
  return socket;
}

/** Announces a body and sends a byte of it every second. */
export function dripping(raw: Raw, path: string, announced: number): Socket {
  const socket = open(raw);
  socket.write(head(raw, 'PATCH', path, ['content-type: application/json', `content-length: ${announced}`]));
  const drip = setInterval(() => socket.write(' '), 1000);
  return socket.once('close', () => clearInterval(drip));
}

/** Connects and says nothing. */
export const silent = (raw: Raw): Socket => open(raw);

/** Sends a body of `bytes` in chunks of one byte each, and ends with the response. */
export function oneByteChunks(raw: Raw, path: string, bytes: number): Socket {
  const socket = open(raw);
  const headers = ['content-type: application/json', 'transfer-encoding: chunked', 'connection: close'];
  socket.write(head(raw, 'PATCH', path, headers));
  const text = `{"name":"x","filler":"${'y'.repeat(bytes)}"}`;
  socket.write([...text].map((character) => `1\r\n${character}\r\n`).join(''));
  socket.write('0\r\n\r\n');
  return socket.resume();
}
