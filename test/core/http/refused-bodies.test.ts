import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { leaveUnread } from '../../../core/http/unread-body.js';
import { rawRequest } from '../../support/raw-request.js';
import { until } from '../../support/until.js';

const BODY = 1024 * 1024;

t.test(
  'a body that was refused under load stays where it is until its client had time to leave',
  async (t) => {
    const requests: IncomingMessage[] = [];
    const server = createServer(async (req, res) => {
      requests.push(req);
      const status = req.method === 'POST' ? 503 : 200;
      if (status === 503) {
        // It has waited for room: what Node takes unasked lies here by then.
        await until('the head of the body', () => req.readableLength >= req.readableHighWaterMark);
        leaveUnread({ req, res, status, state: { workspaceId: 'busy' } } as never);
      }
      res.writeHead(status, { 'content-type': 'application/json' }).end(`{"status":${status}}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close().closeAllConnections());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    const client = await rawRequest(t, {
      baseUrl,
      line: 'POST /',
      headers: [`content-length: ${BODY}`],
      body: 'x'.repeat(BODY),
    });
    await until('the refusal', () => client.text().includes('{"status":503}'));
    // Others come and go: were the body read, it would be by now.
    for (let n = 0; n < 10; n += 1) t.equal((await fetch(baseUrl)).status, 200);
    const [refused] = requests;
    t.equal(refused?.complete, false);
    t.ok((refused?.socket.bytesRead ?? BODY) < BODY / 2, `${refused?.socket.bytesRead} bytes read`);

    client.socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until('the next answer on the same connection', () => client.text().includes('{"status":200}'));
    t.equal(refused?.complete, true, 'who stays is read to the end of its body');
  },
);
