import { AnswerFailure } from '../../../../core/chat/answerer.js';
import type { Citation } from '../../../../core/ports/store/conversations/answer.js';
import { type Message, textOf } from '../../../support/chat.js';
import { type StreamEvent, textIn, typesOf } from '../../../support/event-stream.js';
import { calls, finish, gate, saysAround, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { conversationOf, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

const citation = (n: number, url: string | null): Citation => ({
  sourceId: String(n),
  documentId: `019a8c1e-5a33-7e0b-9b1e-0b8a5f0c2d1${n}`,
  sourceType: url === null ? 'file_upload' : 'web_crawl',
  title: url === null ? 'Manual.pdf' : 'Reset',
  url,
  start: 0,
  end: 5,
  quote: 'quote',
});

/** Two steps, sources, characters outside the BMP, and pauses between events. */
const eventful = async function* (_: unknown, signal: AbortSignal) {
  yield stepStart;
  yield { type: 'source', citation: citation(1, 'https://docs.acme.com/reset') } as const;
  for (const text of ['Hold ', 'the 😀', ' button [1]. ']) yield { type: 'text', text } as const;
  yield { type: 'source', citation: citation(2, null) } as const;
  yield { type: 'text', text: 'Then 🎉 wait [2].' } as const;
  yield { type: 'step-finish' } as const;
  yield stepStart;
  yield { type: 'text', text: 'That is all.' } as const;
  yield { type: 'step-finish' } as const;
  signal.throwIfAborted();
  yield { ...finish(), citations: [citation(1, 'https://docs.acme.com/reset'), citation(2, null)] };
};

await onEachEngine('a stream matches the stored message', async (t, engine) => {
  const { ask, answerer, api, chat } = await streamingChat(t, { engine });
  answerer.play(eventful);
  const stream = await ask({ message: 'How do I reset it?', userId: 'u-1' });
  t.equal(stream.status, 200);
  t.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.equal(stream.headers.get('cache-control'), 'no-store');
  t.equal(stream.headers.get('x-accel-buffering'), 'no');
  t.equal(stream.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
  t.match(stream.headers.get('x-request-id'), /./);
  await stream.over;
  t.ok(stream.done);
  t.match(stream.raw(), /\n\ndata: \[DONE\]\n\n$/);
  const { events } = stream;
  const conversationId = conversationOf(stream);
  const [start] = events;
  const m = String(start?.messageId);
  t.strictSame(start, {
    at: `${m}.s.0`,
    type: 'start',
    messageId: m,
    messageMetadata: {
      conversationId,
      userMessageId: String(Number(m) - 1),
      userId: 'u-1',
      createdAt: (start?.messageMetadata as { createdAt?: number } | undefined)?.createdAt,
    },
  });
  t.strictSame(
    typesOf(events).filter((type, n, all) => !(type === 'text-delta' && all[n - 1] === type)),
    [
      'start',
      'start-step',
      'source-url',
      'text-start',
      'text-delta',
      'source-document',
      'text-delta',
      'text-end',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ],
  );
  t.match(
    events.find(({ type }) => type === 'source-url'),
    {
      sourceId: '1',
      url: 'https://docs.acme.com/reset',
      title: 'Reset',
    },
  );
  t.match(
    events.find(({ type }) => type === 'source-document'),
    {
      sourceId: '2',
      mediaType: 'application/pdf',
      title: 'Manual.pdf',
      filename: 'Manual.pdf',
    },
  );
  const { body: stored } = await api.get<Message>(chat.at(`/conversations/${conversationId}/messages/${m}`));
  t.equal(textIn(events), textOf(stored), 'what was streamed, joined, is what is stored');
  t.strictSame(
    stored.parts.map(({ text }) => text),
    ['Hold the 😀 button [1]. Then 🎉 wait [2].', 'That is all.'],
  );
  const last = events.at(-1);
  t.equal(last?.at, `${m}.z.0`);
  t.strictSame(last?.messageMetadata, { messageId: m, ...stored.metadata });
  t.equal(last?.finishReason, 'stop');
  const ids = events.map(({ at }) => at);
  t.equal(new Set(ids).size, ids.length, 'every event has its own place');
});

/** Joins adjacent text events, so that the same text compares equal. */
function joined(events: readonly StreamEvent[]): object[] {
  const all: { [field: string]: unknown }[] = [];
  for (const { at: _, ...event } of events) {
    const last = all.at(-1);
    if (event.type === 'text-delta' && last?.type === 'text-delta')
      last.delta = `${last.delta}${event.delta}`;
    else all.push({ ...event });
  }
  return all;
}

await onEachEngine('a stream can be resumed from any position', async (t, engine) => {
  const { ask, answerer, open, service } = await streamingChat(t, { engine });
  const other = await service.beside();
  answerer.play(eventful);
  const whole = await ask({ message: 'Hello' });
  await whole.over;
  const path = `/conversations/${conversationOf(whole)}/stream`;
  for (const [n, { at: id }] of whole.events.entries()) {
    const rest = await open(path, { headers: { 'last-event-id': id }, on: n % 2 ? other : service });
    await rest.over;
    t.ok(rest.done, `${id} gets the end`);
    t.strictSame(
      joined([...whole.events.slice(0, n + 1), ...rest.events]),
      joined(whole.events),
      `behind ${id}`,
    );
  }
  const m = whole.events[0]?.messageId;
  for (let points = 0; points <= 40; points += 1) {
    const rest = await open(path, { headers: { 'last-event-id': `${m}.0.${points}` } });
    await rest.over;
    const told = [...textIn(whole.events.filter(({ at }) => at.startsWith(`${m}.0.`)))];
    t.equal(
      textIn(rest.events.filter(({ at }) => at.startsWith(`${m}.0.`))),
      told.slice(points).join(''),
      `behind ${points} characters`,
    );
  }
  for (const id of [
    '',
    'x',
    `${m}`,
    `${m}.`,
    `${m}.0`,
    `0${m}.s.0`,
    `${m}.s.1`,
    `${m}.-1.0`,
    '999999999.0.0',
    `${m}.0.0s`,
    `${Number(m) - 1}.s.0`,
  ])
    t.equal(
      (await open(path, { headers: { 'last-event-id': id } })).status,
      204,
      `${id} is no place in the newest message`,
    );
  t.equal((await open(path)).status, 204);
});

await onEachEngine('an answer in progress can be followed from any process', async (t, engine) => {
  const { ask, answerer, open, service } = await streamingChat(t, { engine });
  const other = await service.beside();
  const waiting = gate();
  answerer.play(saysAround('Hold the power button', waiting, ' for ten seconds.'));
  const first = await ask({ message: 'Hello' });
  await first.event(({ delta }) => delta === 'Hold the power button');
  const path = `/conversations/${conversationOf(first)}/stream`;
  const m = first.events[0]?.messageId;
  const here = await open(path);
  const there = await open(path, { on: other });
  const behind = await open(path, { on: other, headers: { 'last-event-id': `${m}.0.4` } });
  const beyond = await open(path, { on: other, headers: { 'last-event-id': `${m}.0.30` } });
  const nonsense = await open(path, { headers: { 'last-event-id': '7.x' } });
  for (const stream of [here, there, nonsense]) {
    t.equal(stream.status, 200);
    await stream.event(({ delta }) => delta === 'Hold the power button');
    t.strictSame(typesOf(stream.events), ['start', 'start-step', 'text-start', 'text-delta']);
  }
  await behind.event(({ delta }) => delta === ' the power button');
  t.strictSame(beyond.events, [], 'a place that is not saved yet is waited for');
  first.cut();
  waiting.open();
  for (const stream of [here, there, behind, beyond, nonsense]) await stream.over;
  for (const stream of [here, there, nonsense]) {
    t.ok(stream.done);
    t.equal(textIn(stream.events), 'Hold the power button for ten seconds.');
  }
  t.equal(textIn(behind.events), ' the power button for ten seconds.');
  t.equal(textIn(beyond.events), 'seconds.');
});

await onEachEngine('a disconnecting client does not affect the answer', async (t, engine) => {
  const { ask, answerer, chat } = await streamingChat(t, { engine });
  const waiting = gate();
  answerer.play(saysAround('One', waiting, ' two.'));
  const stream = await ask({ message: 'Hello' });
  await stream.event(({ type }) => type === 'text-delta');
  const conversationId = conversationOf(stream);
  stream.cut();
  await stream.over;
  const { messages } = await chat.conversation(conversationId);
  t.equal(messages[1]?.status, 'generating', 'it is shown while it grows');
  t.equal(messages[1]?.metadata.finishReason, undefined);
  t.ok(textOf(messages[1] as Message).startsWith('One'));
  waiting.open();
  const again = await chat.say('And?', { conversationId });
  t.equal(again.status, 'completed', 'the next waits for its end');
  const after = (await chat.conversation(conversationId)).messages;
  t.equal(textOf(after[1] as Message), 'One two.');
  t.equal(after[1]?.status, 'completed');
});

await onEachEngine('a failure is sent before the end of the stream', async (t, engine) => {
  const { ask, answerer, open, service } = await streamingChat(t, { engine });
  answerer.play(async function* () {
    yield stepStart;
    yield { type: 'text', text: 'Some' };
    throw new AnswerFailure('MODEL_UNAVAILABLE');
  });
  const some = await ask({ message: 'Hello' });
  await some.over;
  t.strictSame(typesOf(some.events), [
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
    'error',
    'finish',
  ]);
  t.match(some.events.at(-1), {
    finishReason: 'error',
    messageMetadata: { error: { code: 'MODEL_UNAVAILABLE' }, usage: { credits: 1 } },
  });
  t.match(some.events.at(-2)?.errorText, /^[A-Z].*\.$/);

  answerer.play(async function* () {
    yield stepStart;
    throw new AnswerFailure('MODEL_CONTEXT_TOO_LONG');
  });
  const none = await ask({ message: 'Hello', conversationId: conversationOf(some) });
  await none.over;
  t.strictSame(typesOf(none.events), ['start', 'error', 'finish']);
  t.match(none.events.at(-1), {
    finishReason: 'error',
    messageMetadata: { error: { code: 'MODEL_CONTEXT_TOO_LONG' } },
  });
  t.ok(none.done);
  const path = `/conversations/${conversationOf(some)}/stream`;
  const rest = await open(path, {
    headers: { 'last-event-id': none.events[0]?.at ?? '' },
    on: await service.beside(),
  });
  await rest.over;
  t.strictSame(typesOf(rest.events), ['error', 'finish'], 'whoever was cut off before the end gets the end');
});

t.test('errors are plain JSON, also if a stream was requested', async (t) => {
  const { ask, open } = await streamingChat(t);
  for (const stream of [await ask({ message: '' }), await open('/chat', { body: [] })]) {
    t.equal(stream.status, 400);
    t.match(stream.headers.get('content-type'), /^application\/json/);
  }
});

t.test('an idle stream is kept alive', async (t) => {
  const { ask, answerer } = await streamingChat(t, { settings: { chat: { keepAliveMs: 100 } } });
  const waiting = gate();
  answerer.play(saysAround('', waiting, 'Late.'));
  const stream = await ask({ message: 'Hello' });
  await waiting.reached;
  while (stream.comments.length < 3)
    await stream.event(({ type }) => type === 'x' || stream.comments.length >= 3);
  t.strictSame([...new Set(stream.comments)], ['keep-alive']);
  waiting.open();
  await stream.over;
  t.ok(stream.done);
});

await onEachEngine('tool calls are sent one after the other', async (t, engine) => {
  const { ask, answerer, open } = await streamingChat(t, { engine });
  answerer.play(
    calls(
      'Let me see.',
      { id: 'call_1', name: 'look', input: { at: 'ä😀' } },
      { id: 'call_2', name: 'look', input: {} },
    ),
  );
  const stream = await ask({ message: 'Hello', tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
  await stream.over;
  t.strictSame(typesOf(stream.events), [
    'start',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-available',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-available',
    'finish-step',
    'finish',
  ]);
  t.equal(stream.events.at(-1)?.finishReason, 'tool-calls');
  const m = stream.events[0]?.messageId;
  const available = stream.events.filter(({ type }) => type === 'tool-input-available');
  t.strictSame(available[0], {
    at: `${m}.1.i`,
    type: 'tool-input-available',
    toolCallId: 'call_1',
    toolName: 'look',
    input: { at: 'ä😀' },
  });
  for (const [n, { at: id }] of stream.events.entries()) {
    const rest = await open(`/conversations/${conversationOf(stream)}/stream`, {
      headers: { 'last-event-id': id },
    });
    await rest.over;
    t.strictSame(
      joined([...stream.events.slice(0, n + 1), ...rest.events]),
      joined(stream.events),
      `behind ${id}`,
    );
  }
});
