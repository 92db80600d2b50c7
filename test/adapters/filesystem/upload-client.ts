import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';

/** A server like the API's; `checksContinue` leaves `Expect: 100-continue` to the receiver. */
export async function listen(t: Test, receive: RequestListener, checksContinue = false): Promise<string> {
  const server = createServer(receive);
  if (checksContinue) server.on('checkContinue', receive);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Sends head and body unchanged, all of it before it reads the response, as many clients do; then reads until the
 * body of a response is complete, or the server closes.
 */
export async function raw(url: string, headers: string[], body: Buffer | string): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    [`PUT ${pathname} HTTP/1.1`, `host: ${hostname}`, 'content-type: text/plain', ...headers, '', ''].join(
      '\r\n',
    ),
  );
  await new Promise((sent) => socket.write(body, sent));
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (/\r\n\r\n.*[}]/s.test(answer)) break;
  }
  return answer;
}

/** Polls; rejects after 5 s. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('did not happen in time');
    await delay(10);
  }
}
