import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Test } from 'tap';
import { invalidBody } from '../../../core/errors/api-error.js';
import { receiveBody } from '../../../core/http/pipeline/receive-body.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const options = {
  maxBytes: 1000,
  timeoutMs: HOUR_MS,
  grow: (): true | Promise<boolean> => true,
  tooLarge: () => invalidBody('too large'),
};

/** A complete request with an unread body, and a function that resets its connection. */
async function complete(t: Test): Promise<{ request: IncomingMessage; reset: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  t.teardown(() => client.destroy());
  client.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 12\r\n\r\n{"name":"a"}');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  await until('the body', () => request.complete);
  return {
    request,
    async reset() {
      client.resetAndDestroy();
      await until('the reset', () => request.socket.destroyed);
    },
  };
}

const received = (request: IncomingMessage, more: Partial<typeof options> = {}) =>
  receiveBody(request, { ...options, ...more }).then(String, (error: Error) => error.message);

t.test('a body that has arrived is received', async (t) => {
  t.equal(await received((await complete(t)).request), '{"name":"a"}');
});

t.test('reading ends if the client left before the body was read', async (t) => {
  const { request, reset } = await complete(t);
  await reset();
  t.match(await received(request), /could not be read/);
});

t.test('reading ends if the client leaves before the memory of its body is granted', async (t) => {
  const { request, reset } = await complete(t);
  let isWaiting = false;
  const text = received(request, {
    grow: () => {
      isWaiting = true;
      return new Promise(() => {});
    },
  });
  await until('the wait', () => isWaiting);
  await reset();
  t.match(await text, /could not be read/);
});
