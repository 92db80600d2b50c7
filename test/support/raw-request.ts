import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface RawRequest {
  socket: Socket;
  /** The response so far. */
  text(): string;
  /** Unix time in milliseconds when the server closed the connection; null before. */
  closedAt(): number | null;
}

interface RawRequestOptions {
  baseUrl: string;
  key?: string;
  /** `PATCH /api/v2/agents/…`, without the version. Without it nothing is sent. */
  line?: string;
  headers?: string[];
  body?: string | Buffer;
  /** Local address of the client. */
  from?: string;
  /** False leaves the response in the socket, like a client that does not read. */
  reads?: boolean;
}

/** Sends one request unchanged over its own socket, for clients that no library would simulate. */
export async function rawRequest(
  t: Test,
  { baseUrl, key, line, headers = [], body = '', from, reads = true }: RawRequestOptions,
): Promise<RawRequest> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, ...(from ? { localAddress: from } : {}) });
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
