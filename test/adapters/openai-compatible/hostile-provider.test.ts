import { Readable } from 'node:stream';
import { readStream } from '../../../adapters/openai-compatible/read-stream.js';
import { delta, done, ends, toolFragment } from '../../support/fake-provider.js';
import t from '../../support/t.js';

/*
 * An operator configures the provider, but it may be broken, compromised, or a proxy that makes things up. Its
 * responses may only affect its own answer.
 */

const MAX_TOKENS = 1000;

const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;
const choice = (fields: object): string => event({ choices: [{ index: 0, ...fields }] });

/** Returns the events of a stream and its failure code. */
async function read(stream: Iterable<string> | AsyncIterable<string>) {
  const events = [];
  try {
    for await (const said of readStream(Readable.from(bytesOf(stream)), MAX_TOKENS)) events.push(said);
    return { events, code: null };
  } catch (error) {
    return { events, code: (error as { code?: string }).code ?? String(error) };
  }
}

async function* bytesOf(stream: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of stream) yield Buffer.from(text);
}

/** More data than fits into memory; `sent` is how much of it was read. */
function endless(text: string) {
  const bytes = { sent: 0 };
  const source = async function* () {
    const piece = text.repeat(Math.ceil(16_384 / text.length));
    for (;;) {
      bytes.sent += piece.length;
      if (bytes.sent > 1e9) throw new Error('a gigabyte was read');
      yield piece;
    }
  };
  return { source: source(), bytes };
}

t.test('invalid token counts are null', async (t) => {
  for (const [sent, kept] of [
    [12, 12],
    [0, 0],
    [-1, null],
    [1.5, null],
    [1e300, null],
    ['12', null],
    [{}, null],
    [null, null],
    [undefined, null],
  ]) {
    const usage = { prompt_tokens: sent, completion_tokens: sent };
    const { events, code } = await read([delta('Hi'), ends('stop'), event({ choices: [], usage }), done]);
    t.equal(code, null);
    t.strictSame(events[1], { type: 'usage', inputTokens: kept, outputTokens: kept }, JSON.stringify(sent));
  }
  for (const usage of ['12', 5, [], true]) {
    const { events, code } = await read([delta('Hi'), event({ usage }), ends('stop'), done]);
    t.equal(code, null);
    t.match(events.at(-1), { type: 'finish', reason: 'stop' });
  }
});

t.test('an event of another shape is a bad answer', async (t) => {
  for (const sent of [
    event(5),
    event([]),
    event('text'),
    event({ choices: 'text' }),
    event({ choices: [5] }),
    choice({ delta: 'text' }),
    choice({ delta: { content: 5 } }),
    choice({ delta: { content: ['text'] } }),
    choice({ delta: { refusal: {} } }),
    choice({ delta: { tool_calls: {} } }),
    choice({ delta: { tool_calls: [5] } }),
    choice({ delta: { tool_calls: [{ index: -1, function: { name: 'a' } }] } }),
    choice({ delta: { tool_calls: [{ index: 'x', function: { name: 'a' } }] } }),
    choice({ delta: { tool_calls: [{ index: 0, function: { name: {} } }] } }),
    choice({ delta: { tool_calls: [{ index: 0, function: { name: 'a', arguments: { b: 1 } } }] } }),
    choice({ finish_reason: {} }),
  ])
    t.equal((await read([sent, ends('stop'), done])).code, 'MODEL_BAD_ANSWER', sent);
});

t.test('null counts as missing, and unknown fields are ignored', async (t) => {
  const { events, code } = await read([
    event({ choices: null, usage: null, error: null, id: 5 }),
    choice({ delta: null }),
    choice({ delta: { role: 5, content: null, refusal: null, tool_calls: null, reasoning_content: 'Hm' } }),
    choice({ delta: { content: 'Hi' }, finish_reason: null }),
    choice({ delta: { tool_calls: [{ index: null, id: null, function: { name: 'a', arguments: null } }] } }),
    choice({ delta: { tool_calls: [{ function: { name: null, arguments: '{}' } }] } }),
    choice({ delta: { tool_calls: [{ index: 0, function: null }] } }),
    choice({ delta: {}, finish_reason: 'constructor' }),
    done,
  ]);
  t.equal(code, null);
  t.strictSame(events, [
    { type: 'text', text: 'Hi' },
    { type: 'tool-call', toolName: 'a', arguments: '{}' },
    { type: 'finish', reason: 'other' },
  ]);
});

t.test('cuts off endless tool calls', async (t) => {
  for (const [name, fragment] of Object.entries({
    'long arguments': toolFragment(0, null, 'x'.repeat(1000)),
    'short arguments': toolFragment(0, null, 'x'),
    'empty arguments': toolFragment(0, null, ''),
    'many names': choice({ delta: { tool_calls: [{ function: { name: 'look', arguments: '' } }] } }),
  })) {
    const { source, bytes } = endless(fragment);
    const { code, events } = await read(source);
    t.equal(code, 'MODEL_BAD_ANSWER', name);
    t.ok(bytes.sent < 500e6, `${name}: ${bytes.sent} bytes`);
    t.strictSame(events, []);
  }
  // Larger than any call may be, but within the limit of a stream.
  const large = toolFragment(0, 'look', 'x'.repeat(100_000)).repeat(12);
  t.equal((await read([large, ends('tool_calls'), done])).code, 'MODEL_BAD_ANSWER');
  const many = Array.from({ length: 33 }, (_, n) => toolFragment(n, 'look', '{}'));
  t.equal((await read([...many, ends('tool_calls'), done])).code, 'MODEL_BAD_ANSWER');
  t.equal((await read([...many.slice(1), ends('tool_calls'), done])).code, null);
});

t.test('cuts off an endless line or event', async (t) => {
  for (const [name, text] of Object.entries({
    'one line': 'x',
    'one data line': 'data',
    'one event': 'data: {}\n',
    'one event of other fields': 'id: 5\nevent: message\n',
  })) {
    const { source, bytes } = endless(text);
    const { code } = await read(source);
    t.equal(code, 'MODEL_BAD_ANSWER', name);
    t.ok(bytes.sent < 100e6, `${name}: ${bytes.sent} bytes`);
  }
});

t.test('cuts off events without content', async (t) => {
  for (const [name, text] of Object.entries({
    'empty events': event({}),
    'empty texts': delta(''),
    thoughts: choice({ delta: { reasoning_content: 'Hm. ' } }),
    'large events': event({ padding: 'x'.repeat(100_000) }),
    'long ids of tool calls': choice({ delta: { tool_calls: [{ index: 0, id: 'x'.repeat(100_000) }] } }),
  })) {
    const { source, bytes } = endless(text);
    const { code } = await read(source);
    t.equal(code, 'MODEL_BAD_ANSWER', name);
    t.ok(bytes.sent < 50e6, `${name}: ${bytes.sent} bytes`);
  }
});

t.test('reads an answer with one event per token after long reasoning', async (t) => {
  const thoughts = choice({ delta: { reasoning_content: 'Hm. ', logprobs: 'x'.repeat(300) } }).repeat(20_000);
  const texts = choice({ delta: { content: 'Hi ' }, logprobs: 'x'.repeat(4000) }).repeat(MAX_TOKENS);
  const { events, code } = await read([thoughts, texts, ends('stop'), done]);
  t.equal(code, null);
  t.equal(events.length, MAX_TOKENS + 1);
});

t.test('a fast provider does not block the event loop', async (t) => {
  const pieces = 100;
  let iterations = 0;
  let counter = setImmediate(function count() {
    iterations += 1;
    counter = setImmediate(count);
  });
  t.teardown(() => clearImmediate(counter));
  const { code } = await read([...Array(pieces).fill(delta('Hi ')), ends('stop'), done]);
  t.equal(code, null);
  t.ok(iterations >= pieces, `${iterations} iterations of the event loop`);
});

t.test('an event with too many JSON values is a bad answer', async (t) => {
  for (const padding of ['[],'.repeat(30_000), '['.repeat(30_000)]) {
    const sent = `data: {"choices":[],"padding":[${padding}[]${']'.repeat(padding.endsWith('[') ? 30_000 : 0)}]}\n\n`;
    t.doesNotThrow(() => JSON.parse(sent.slice(6)));
    t.equal((await read([delta('Hi'), sent, ends('stop'), done])).code, 'MODEL_BAD_ANSWER');
  }
});
