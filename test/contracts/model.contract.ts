import assert from 'node:assert/strict';
import { nothingFound } from '../../core/chat/nothing-found.js';
import type { Model, ModelEvent, ModelRequest } from '../../core/ports/model.port.js';
import type { ModelPlugin } from '../../core/ports/plugin.port.js';
import { checkRejection } from './must-reject.js';
import { contextOf } from './plugin-context.js';

/** Behaviour of the provider behind the plugin for all following calls. */
export type Scene =
  /** Sends these texts in order and ends. `usage`: counted tokens, or null for a provider that does not count. */
  | { does: 'say'; texts: string[]; usage: { input: number; output: number } | null }
  /** Calls these tools at once and ends. */
  | { does: 'call'; calls: { toolName: string; arguments: string }[] }
  /** Sends these texts, then breaks the connection. */
  | { does: 'break off'; texts: string[] }
  /** Sends these texts, then nothing, with the connection open. */
  | { does: 'fall silent'; texts: string[] }
  /** Rejects the key. */
  | { does: 'refuse' };

/** Returns the plugin under test with valid options, and a provider that plays the scene. */
export type MakeModel<Options> = (scene: Scene) => Promise<{
  plugin: ModelPlugin<Options>;
  options: Options;
  /** A name that the options map to the provider. */
  model: string;
  /** Stops the provider. */
  close(): Promise<void>;
}>;

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

const tool = {
  name: 'open_ticket',
  description: 'Opens a ticket',
  inputSchema: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
};

/** Maximum time in milliseconds for an answer to end once its signal is aborted. */
const ABORT_MS = 100;
/** Tolerance for a busy machine. */
const SLACK_MS = 400;

interface Subject {
  port: Model;
  request: ModelRequest;
  stop(): Promise<void>;
}

/** Tests every promise of the model port for any plugin. Needs only Node. */
export function describeModelContract<Options>(
  declare: { test: DeclareTest },
  make: MakeModel<Options>,
): void {
  const test = (name: string, scene: Scene, body: (subject: Subject) => Promise<void>): unknown =>
    declare.test(name, () => withSubject(make, scene, body));

  const text = 'Zwölf Grad – 十二度 🌦️, und dann\n\n- heiter\n- "windig"';
  test('texts arrive complete and in order, then the tokens, then one finish', {
    does: 'say',
    texts: [...text],
    usage: { input: 12, output: 7 },
  }, async ({ port, request }) => {
    const events = await all(port, request);
    assert.equal(textOf(events), text);
    assert.deepEqual(
      events.filter(({ type }) => type === 'usage'),
      [{ type: 'usage', inputTokens: 12, outputTokens: 7 }],
    );
    assert.deepEqual(events.at(-1), { type: 'finish', reason: 'stop', model: request.model });
    assert.equal(events.filter(({ type }) => type === 'finish').length, 1);
  });

  test('a provider that counts no tokens reports none', {
    does: 'say',
    texts: ['yes'],
    usage: null,
  }, async ({ port, request }) => {
    for (const event of await all(port, request))
      if (event.type === 'usage') assert.deepEqual([event.inputTokens, event.outputTokens], [null, null]);
  });

  const calls = [
    { toolName: 'open_ticket', arguments: '{"subject":"Drucker für Büro 十二"}' },
    { toolName: 'open_ticket', arguments: '{"subject":"second"}' },
  ];
  test('parallel tool calls arrive complete', { does: 'call', calls }, async ({ port, request }) => {
    if (port.describe(request.model)?.tools === false) return;
    const events = await all(port, { ...request, tools: [tool] });
    assert.deepEqual(
      events.flatMap((event) =>
        event.type === 'tool-call' ? [[event.toolName, JSON.parse(event.arguments)]] : [],
      ),
      calls.map((call) => [call.toolName, JSON.parse(call.arguments)]),
    );
    assert.deepEqual(events.at(-1), { type: 'finish', reason: 'tool-calls', model: request.model });
  });

  test('a broken connection is a failure, and never a short answer', {
    does: 'break off',
    texts: ['Half of '],
  }, async ({ port, request }) => {
    const { events, error } = await heard(port, request);
    assert.equal(textOf(events), 'Half of ');
    checkRejection('model.answer() over a broken connection', error, { code: 'MODEL_BAD_ANSWER' });
    assert.equal(
      events.some(({ type }) => type === 'finish'),
      false,
    );
  });

  test('a rejected key is reported as such', { does: 'refuse' }, async ({ port, request }) => {
    const { events, error } = await heard(port, request);
    assert.equal(textOf(events), '');
    checkRejection('model.answer() with a refused key', error, { code: 'MODEL_REFUSED' });
  });

  test('an answer ends with the abort reason, soon after it is aborted', {
    does: 'fall silent',
    texts: ['Well, '],
  }, async ({ port, request }) => {
    const controller = new AbortController();
    const reason = new Error('stopped by a test');
    let abortedAt = 0;
    const { error } = await heard(port, request, controller.signal, (event) => {
      if (event.type !== 'text') return;
      abortedAt = performance.now();
      setImmediate(() => controller.abort(reason));
    });
    checkRejection('model.answer() that was aborted', error, { is: reason });
    assert.ok(performance.now() - abortedAt < ABORT_MS + SLACK_MS, 'it took too long');
  });

  test('an answer that is aborted beforehand does not start', {
    does: 'say',
    texts: ['too late'],
    usage: null,
  }, async ({ port, request }) => {
    const reason = new Error('stopped before');
    const { events, error } = await heard(port, request, AbortSignal.abort(reason));
    checkRejection('model.answer() that was aborted beforehand', error, { is: reason });
    assert.equal(textOf(events), '');
  });

  test('a consumer may stop early, and the next answer is complete', {
    does: 'say',
    texts: ['one ', 'two ', 'three'],
    usage: null,
  }, async ({ port, request }) => {
    for await (const event of port.answer(request, new AbortController().signal))
      if (event.type === 'text') break;
    assert.equal(textOf(await all(port, request)), 'one two three');
  });

  test('slots are released, even if released twice', { does: 'say', texts: ['yes'], usage: null }, async ({
    port,
    request,
  }) => {
    for (let n = 0; n < 500; n++) {
      const place = port.admit(request.model);
      place.release();
      place.release();
    }
  });

  test('health is good, also when it requests a token, and after stopping (twice) every call rejects', {
    does: 'say',
    texts: ['yes'],
    usage: null,
  }, async ({ port, request, stop }) => {
    assert.deepEqual(await port.health(), { ok: true });
    for (const health of Object.values(await port.probe(new AbortController().signal)))
      assert.deepEqual(health, { ok: true });
    await stop();
    await stop();
    assert.equal((await port.health()).ok, false, 'model.health() after the stop');
    const { events, error } = await heard(port, request);
    assert.equal(textOf(events), '');
    checkRejection('model.answer() after the stop', error);
  });
}

async function withSubject<Options>(
  make: MakeModel<Options>,
  scene: Scene,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  const { plugin, options, model, close } = await make(scene);
  const { port, stop } = await plugin.start(contextOf(options));
  const request: ModelRequest = {
    model,
    messages: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'How is the weather?' },
    ],
    tools: [],
    maxOutputTokens: 500,
    question: 'How is the weather?',
    found: nothingFound,
    smallTalk: null,
    language: 'en',
    requestId: 'contract-1',
  };
  try {
    await body({ port, request, stop: () => stop({ deadlineMs: 1000 }) });
  } finally {
    await stop({ deadlineMs: 1000 });
    await close();
  }
}

async function heard(
  port: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<{ events: ModelEvent[]; error: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of port.answer(request, signal)) {
      events.push(event);
      onEvent(event);
    }
    return { events, error: null };
  } catch (error) {
    return { events, error };
  }
}

async function all(port: Model, request: ModelRequest): Promise<ModelEvent[]> {
  const { events, error } = await heard(port, request);
  if (error !== null) throw error;
  return events;
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
