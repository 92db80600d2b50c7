import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Context } from 'koa';
import { discardBody } from '../../../core/http/pipeline/unread-body.js';
import { createHttpServer } from '../../../core/http/server.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

t.test('rejected requests with bodies in short pieces do not delay other work', async (t) => {
  const sockets: Socket[] = [];
  let closed = 0;
  let iterations = 0;
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
  let counter = setImmediate(function count() {
    iterations += 1;
    counter = setImmediate(count);
  });
  await until('the connections to be closed', () => closed === clients);
  clearImmediate(counter);
  const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  // Without pauses, thousands of pieces are parsed in one iteration.
  t.ok(read / iterations < 2500, `${read} bytes in ${iterations} iterations of the event loop`);
});
