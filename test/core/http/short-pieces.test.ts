import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Context } from 'koa';
import { discardBody } from '../../../core/http/pipeline/unread-body.js';
import { createHttpServer } from '../../../core/http/server.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/** Bytes of a socket that are parsed at once, and the pause after them that all of these requests share. */
const READ_BYTES = 64 * 1024;
const PAUSE_MS = 20;

t.test('rejected requests with bodies in short pieces do not delay other work', async (t) => {
  const sockets: Socket[] = [];
  let closed = 0;
  const server = createHttpServer(
    (req, res) => {
      discardBody({ req, res } as Context);
      res.writeHead(401).end();
    },
    { requestTimeoutMs: 30_000, maxConnections: 100 },
  );
  server.on('connection', (socket) => {
    sockets.push(socket);
    socket.once('close', () => {
      closed += 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const pieces = Buffer.from('1\r\nx\r\n'.repeat(20_000));
  const clients = 10;
  for (let n = 0; n < clients; n += 1) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => {});
    const send = (): void => {
      while (!socket.destroyed && socket.write(pieces));
      if (!socket.destroyed) socket.once('drain', send);
    };
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
    send();
  }
  const began = performance.now();
  await until('the connections to be closed', () => closed === clients);
  const pauses = (performance.now() - began) / PAUSE_MS;
  const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  // A slow machine reads less. Without pauses, a fast one reads as much as it can parse.
  const most = (pauses + 2 * clients) * READ_BYTES;
  t.ok(read < most, `${read} bytes of at most ${most}`);
});
