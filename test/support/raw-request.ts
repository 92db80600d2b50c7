import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface RawRequest {
  socket: Socket;
  /** All that has come back so far. */
  text(): string;
  /** Milliseconds since the epoch at which the server closed the connection; null while it has not. */
  closedAt(): number | null;
}

interface RawRequestOptions {
  baseUrl: string;
  key?: string;
  /** `PATCH /api/v2/agents/…`, without the version. Without it nothing is sent. */
  line?: string;
  headers?: string[];
  body?: string | Buffer;
  /** False leaves the answer in the socket: a client that does not read. */
  reads?: boolean;
}

/** One request over a socket of its own, sent as it is: for clients that no library would play. */
export async function rawRequest(
  t: Test,
  { baseUrl, key, line, headers = [], body = '', reads = true }: RawRequestOptions,
): Promise<RawRequest> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  t.teardown(() => socket.destroy());
  let text = '';
  let closedAt: number | null = null;
  socket.on('error', () => {});
  socket.once('close', () => {
    closedAt = Date.now();
  });
  if (reads) {
    socket.on('data', (data) => {
      text += data;
    });
  } else socket.pause();
  await once(socket, 'connect');
  if (line === undefined) return { socket, text: () => text, closedAt: () => closedAt };
  const authorization = key ? [`authorization: Bearer ${key}`] : [];
  socket.write(
    `${[`${line} HTTP/1.1`, 'host: localhost', ...authorization, ...headers].join('\r\n')}\r\n\r\n`,
  );
  socket.write(body);
  return { socket, text: () => text, closedAt: () => closedAt };
}
