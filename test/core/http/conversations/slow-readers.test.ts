import diagnosticsChannel from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Message, textOf } from '../../../support/chat.js';
import { textIn } from '../../../support/event-stream.js';
import { rawRequest } from '../../../support/raw-request.js';
import { finish, gate, says, stepStart } from '../../../support/scripted-answerer.js';
import { conversationOf, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

/* The cost of a long answer. */

t.test('a long answer arrives complete', async (t) => {
  const { ask, answerer, chat } = await streamingChat(t);
  const text = 'x'.repeat(2_000_000);
  answerer.play(says(...(text.match(/.{10000}/g) ?? [])));
  const stream = await ask({ message: 'Hello' });
  await stream.over;
  t.equal(textIn(stream.events).length, text.length);
  t.equal(textOf((await chat.conversation(conversationOf(stream))).messages[1] as Message), text);
});

t.test('a reader that takes nothing only loses its own connection', async (t) => {
  const PIECE = 200_000;
  const PIECES = 30;
  const { ask, answerer, chat, service, apiKey, open } = await streamingChat(t, { silenceMs: 3000 });
  const waits = Array.from({ length: PIECES }, gate);
  answerer.play(async function* (_, signal) {
    yield stepStart;
    for (const waiting of waits) {
      await waiting.pass(signal);
      yield { type: 'text', text: 'x'.repeat(PIECE) };
    }
    yield { type: 'step-finish' };
    yield finish();
  });
  const reader = await ask({ message: 'Hello' });
  await reader.event(({ type }) => type === 'start');
  const conversationId = conversationOf(reader);
  const exchanges: { socket: Socket }[] = [];
  const began = (exchange: unknown) => void exchanges.push(exchange as (typeof exchanges)[number]);
  diagnosticsChannel.subscribe('http.server.request.start', began);
  const path = `/conversations/${conversationId}/stream`;
  await rawRequest(t, {
    baseUrl: service.baseUrl,
    key: apiKey,
    line: `GET /api/v2${chat.at(path)}`,
    reads: false,
  });
  const { socket } = await until('its request', () => exchanges[0]);
  diagnosticsChannel.unsubscribe('http.server.request.start', began);
  for (const [n, waiting] of waits.entries()) {
    waiting.open();
    await until('the piece', () => textIn(reader.events).length === (n + 1) * PIECE);
  }
  await reader.over;
  t.ok(reader.done, 'whoever reads gets all of it meanwhile');
  await until('the connection to be cut', () => socket.destroyed, 20_000);
  t.ok(socket.bytesWritten < PIECE * PIECES, 'the rest was never made for it');
  // A message of this size fills a page.
  const message = (await chat.conversation(conversationId)).messages.at(-1);
  t.match(message, { status: 'completed' });
  t.equal(textOf(message as Message).length, PIECE * PIECES);
  const again = await open(path, { headers: { 'last-event-id': `${message?.id}.0.${PIECE}` } });
  await again.over;
  t.equal(textIn(again.events).length, PIECE * (PIECES - 1), 'it may come back');
});
