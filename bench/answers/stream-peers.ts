import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

/* Servers for comparison: `floor` answers with one event; `provider` writes ten words a second to each client. */

const WORD_MS = 100;
const events = { 'content-type': 'text/event-stream' };

const floor = new Koa().use((ctx) => {
  ctx.set(events);
  ctx.body = 'data: {"type":"start"}\n\n';
});

const server =
  process.argv[2] === 'floor'
    ? createServer(floor.callback())
    : createServer((request, response) => {
        request.resume();
        response.writeHead(200, events);
        const timer = setInterval(() => {
          const choices = [{ index: 0, delta: { content: 'word ' }, finish_reason: null }];
          response.write(`data: ${JSON.stringify({ choices })}\n\n`);
        }, WORD_MS);
        response.on('close', () => clearInterval(timer));
      });
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
