import diagnosticsChannel from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import Koa from 'koa';
import { type EventSource, STREAM_BYTES, sendEvents } from '../../../core/http/pipeline/event-stream.js';
import { createHttpServer } from '../../../core/http/server.js';
import { rawRequest } from '../../support/raw-request.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const PIECE = `data: ${'x'.repeat(10_000)}\n\n`;
/** More than any kernel buffers for a connection. */
const MOST = 5000;

t.test('events are created on demand, and not for a reader that does not read', async (t) => {
  let made = 0;
  let ended = false;
  const source: EventSource = async function* (signal) {
    try {
      while (made < MOST && !signal.aborted) {
        made += 1;
        yield PIECE;
      }
    } finally {
      ended = true;
    }
  };
  const app = new Koa();
  app.use((ctx) => sendEvents(ctx, source));
  const server = createHttpServer(app.callback(), {
    requestTimeoutMs: 30_000,
    maxConnections: 10,
    silenceMs: 1000,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const sockets: Socket[] = [];
  const began = (exchange: unknown) => void sockets.push((exchange as { socket: Socket }).socket);
  diagnosticsChannel.subscribe('http.server.request.start', began);
  t.teardown(() => diagnosticsChannel.unsubscribe('http.server.request.start', began));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await rawRequest(t, { baseUrl, line: 'GET /', reads: false });
  const socket = await until('its connection', () => sockets[0]);
  await until('the connection to be cut', () => socket.destroyed);
  await until('the end of the events', () => ended);
  t.ok(made < MOST, 'not all of them were made');
  const waiting = made * PIECE.length - socket.bytesWritten;
  t.ok(waiting <= 2 * (STREAM_BYTES + PIECE.length), `${waiting} bytes waited for it`);
});
