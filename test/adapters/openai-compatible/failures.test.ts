import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openAiCompatible } from '../../../adapters/openai-compatible/index.js';
import type { OpenAiCompatibleOptions } from '../../../adapters/openai-compatible/options.js';
import type { Model, ModelEvent, ModelRequest } from '../../../core/ports/model.port.js';
import {
  answers,
  breaksOff,
  delta,
  done,
  ends,
  type FakeProvider,
  fallsSilent,
  type Play,
  refusal,
  says,
  startFakeProvider,
  streams,
} from '../../support/fake-provider.js';
import { modelOptions, modelRequest, pluginContext } from '../../support/models.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

// Most tests wait for timeouts and retries.
t.jobs = 4;

const NAME = 'vendorB/familyB-haiku-4-5';
const STAND_IN = 'vendorA/familyA-6-luna';
const unavailable = answers(503, { error: { message: 'overloaded' } });

async function start(t: Test, options: OpenAiCompatibleOptions): Promise<Model> {
  const { port, stop } = await openAiCompatible.start({ ...pluginContext, options });
  t.teardown(() => stop({ deadlineMs: 1000 }));
  return port;
}

async function provider(t: Test, ...plays: Play[]): Promise<FakeProvider> {
  const fake = await startFakeProvider(...plays);
  t.teardown(() => fake.close());
  return fake;
}

async function hear(port: Model, changes: Partial<ModelRequest> = {}, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  let code: unknown = null;
  try {
    for await (const event of port.answer(modelRequest(changes), signal)) events.push(event);
  } catch (error) {
    code = error instanceof Error && 'code' in error ? error.code : error;
  }
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  const finish = events.find((event) => event.type === 'finish');
  return { events, text, code, finish };
}

t.test('failures before the first text are retried at most twice, and reported', async (t) => {
  const troubles = [unavailable, answers(429), answers(408), breaksOff(': comment only\n\n')];
  await Promise.all(
    troubles.map(async (trouble) => {
      const fake = await provider(t, trouble, trouble, says('fine'));
      const heard = await hear(await start(t, modelOptions({ main: fake.baseUrl })));
      t.equal(heard.text, 'fine');
      t.equal(heard.events.filter(({ type }) => type === 'setback').length, 2);
      t.equal(fake.calls.length, 3);
    }),
  );
  const fake = await provider(t, unavailable);
  const heard = await hear(await start(t, modelOptions({ main: fake.baseUrl })));
  t.match(heard, { code: 'MODEL_UNAVAILABLE', text: '' });
  t.equal(fake.calls.length, 3);
});

t.test('honours a Retry-After of up to ten seconds', async (t) => {
  const soon = await provider(t, answers(429, {}, { 'retry-after': '1' }), says('fine'));
  const began = performance.now();
  t.equal((await hear(await start(t, modelOptions({ main: soon.baseUrl })))).text, 'fine');
  t.ok(performance.now() - began >= 1000);
  const late = await provider(t, answers(429, {}, { 'retry-after': '60' }));
  t.match(await hear(await start(t, modelOptions({ main: late.baseUrl }))), { code: 'MODEL_RATE_LIMITED' });
  t.equal(late.calls.length, 1);
});

t.test(
  'then falls back to other providers, in order and once each, with their own model names',
  async (t) => {
    const [main, second, third] = [
      await provider(t, unavailable),
      await provider(t, unavailable),
      await provider(t, says('here')),
    ];
    const models = {
      [NAME]: { fallback: ['two', 'three'] },
      two: { provider: 'second', model: 'two-1' },
      three: { provider: 'third', model: 'three-1', credits: 3 },
    };
    const port = await start(
      t,
      modelOptions({ main: main.baseUrl, second: second.baseUrl, third: third.baseUrl }, { models }),
    );
    const heard = await hear(port);
    t.match(heard, { text: 'here', finish: { model: 'three' } });
    t.same(
      [main, second, third].map(({ calls }) => calls.length),
      [3, 1, 1],
    );
    t.match(third.calls[0]?.body, {
      model: 'three-1',
      stream: true,
      stream_options: { include_usage: true },
    });
    t.equal(port.describe('three')?.credits, 3);
  },
);

t.test('after the first text nothing is retried', async (t) => {
  const cases: [Play, string][] = [
    [breaksOff(delta('half')), 'MODEL_BAD_ANSWER'],
    [streams([delta('half')]), 'MODEL_BAD_ANSWER'],
    [streams([delta('half'), 'data: {nonsense\n\n']), 'MODEL_BAD_ANSWER'],
    [fallsSilent(delta('half')), 'MODEL_TIMEOUT'],
  ];
  for (const [play, code] of cases) {
    const fake = await provider(t, play);
    const options = modelOptions({ main: fake.baseUrl }, { timeouts: { idleMs: 300 } });
    t.match(await hear(await start(t, options)), { text: 'half', code });
    t.equal(fake.calls.length, 1);
  }
});

t.test('silence before the first byte is retried; each timeout has its name', async (t) => {
  const fake = await provider(t, fallsSilent(), says('at last'));
  const options = modelOptions({ main: fake.baseUrl }, { timeouts: { firstByteMs: 300 } });
  t.equal((await hear(await start(t, options))).text, 'at last');
  const silent = await provider(t, fallsSilent());
  const patient = modelOptions({ main: silent.baseUrl }, { timeouts: { firstByteMs: 100 } });
  t.match(await hear(await start(t, patient)), { code: 'MODEL_TIMEOUT' });
});

t.test('a rejected key, model name or request is final, and shown in the health', async (t) => {
  for (const status of [400, 401, 403, 404]) {
    const fake = await provider(t, answers(status, { error: { message: 'no such thing' } }));
    const port = await start(
      t,
      modelOptions({ main: fake.baseUrl }, { models: { [NAME]: { fallback: [STAND_IN] }, '*': {} } }),
    );
    t.match(await hear(port), { code: 'MODEL_REFUSED' });
    t.equal(fake.calls.length, 1);
    t.match(await port.health(), { ok: false, reason: new RegExp(`main refused a call: status ${status}`) });
    fake.play(says('better'));
    await hear(port);
    t.match(await port.health(), { ok: true });
  }
});

t.test('a prompt that is too long is reported as such', async (t) => {
  const error = {
    message: "This model's maximum context length is 8192 tokens",
    code: 'context_length_exceeded',
  };
  const fake = await provider(t, answers(400, { error }));
  t.match(await hear(await start(t, modelOptions({ main: fake.baseUrl }))), {
    code: 'MODEL_CONTEXT_TOO_LONG',
  });
});

t.test('unsupported parameters are remembered per provider and model', async (t) => {
  const tokens =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const heat = "Unsupported value: 'temperature' does not support 0.2 with this model.";
  const fake = await provider(
    t,
    answers(400, { error: { message: tokens, param: 'max_tokens', code: 'unsupported_parameter' } }),
    answers(400, { error: { message: heat, param: 'temperature', code: 'unsupported_value' } }),
    says('fine'),
  );
  const port = await start(
    t,
    modelOptions({ main: fake.baseUrl }, { models: { '*': { params: { temperature: 0.2, top_p: 1 } } } }),
  );
  t.equal((await hear(port)).text, 'fine');
  t.equal((await hear(port)).text, 'fine');
  const sent = fake.calls.map(({ body }) =>
    ['max_tokens', 'max_completion_tokens', 'temperature', 'top_p'].filter((name) => name in body),
  );
  t.same(sent, [
    ['max_tokens', 'temperature', 'top_p'],
    ['max_completion_tokens', 'temperature', 'top_p'],
    ['max_completion_tokens', 'top_p'],
    ['max_completion_tokens', 'top_p'],
  ]);
});

t.test('a refusal in words is text; an end without [DONE] is an end', async (t) => {
  const fake = await provider(
    t,
    streams([refusal('I cannot help with that.'), ends('stop'), done]),
    streams([delta('ok'), ends('length')]),
  );
  const port = await start(t, modelOptions({ main: fake.baseUrl }));
  t.match(await hear(port), { text: 'I cannot help with that.', finish: { reason: 'content-filter' } });
  t.match(await hear(port), { text: 'ok', finish: { reason: 'length' }, code: null });
});

t.test('a provider that keeps failing is left alone; a busy one is not', async (t) => {
  const fake = await provider(t, unavailable);
  const port = await start(t, modelOptions({ main: fake.baseUrl }));
  await hear(port);
  await hear(port);
  const calls = fake.calls.length;
  t.equal(calls, 5, 'open after five failures in a row');
  t.match(await hear(port), { code: 'MODEL_UNAVAILABLE' });
  t.equal(fake.calls.length, calls);
  t.equal((await port.health()).ok, false);

  const busy = await provider(t, answers(429, {}, { 'retry-after': '60' }));
  const other = await start(t, modelOptions({ main: busy.baseUrl }));
  for (let n = 0; n < 7; n++) await hear(other);
  t.equal(busy.calls.length, 7);
});

t.test('requests above the limit of a provider are queued, and rejected if the queue is full', async (t) => {
  const fake = await provider(t, fallsSilent(delta('…')));
  const port = await start(
    t,
    modelOptions({ main: fake.baseUrl }, { provider: { maxConcurrent: 2, maxWaiting: 1 } }),
  );
  const places = [port.admit(NAME), port.admit(NAME), port.admit(NAME)];
  t.throws(() => port.admit(NAME), { name: 'ModelBusy' });
  const controllers = [1, 2, 3].map(() => new AbortController());
  const heard = controllers.map((controller) => hear(port, {}, controller.signal));
  await until('two calls', () => fake.calls.length === 2);
  controllers[2]?.abort(new Error('left the line'));
  t.match(await heard[2], { code: { message: 'left the line' } });
  for (const controller of controllers) controller.abort(new Error('stopped'));
  await Promise.all(heard);
  await until('closed connections', async () => (await fake.connections()) === 0);
  for (const place of places) place.release();
  t.doesNotThrow(() => port.admit(NAME).release());
});

t.test('answers with a share leave the rest of the places and of the queue to others', async (t) => {
  const fake = await provider(t, fallsSilent(delta('…')));
  const limits = { maxConcurrent: 2, maxWaiting: 2 };
  const port = await start(t, modelOptions({ main: fake.baseUrl }, { provider: limits }));
  const places = [port.admit(NAME, 0.5), port.admit(NAME, 0.5)];
  t.throws(() => port.admit(NAME, 0.5), { name: 'ModelBusy' });
  const controller = new AbortController();
  const heard = [0.5, 0.5].map((share) => hear(port, { share }, controller.signal));
  await until('one call', () => fake.calls.length === 1);
  places.push(port.admit(NAME), port.admit(NAME));
  heard.push(hear(port, {}, controller.signal));
  await until('the other place', () => fake.calls.length === 2);
  controller.abort(new Error('stopped'));
  await Promise.all(heard);
  t.equal(fake.calls.length, 2, 'the second answer with a share found no place');
  for (const place of places) place.release();
  t.doesNotThrow(() => port.admit(NAME, 0.5).release());
  t.throws(() => port.admit(NAME, 0), { name: 'ModelBusy' });
});

t.test('an unmapped model name is rejected without a call', async (t) => {
  const fake = await provider(t, says('no'));
  const port = await start(t, modelOptions({ main: fake.baseUrl }, { models: { [STAND_IN]: {} } }));
  t.equal(port.describe(NAME), null);
  port.admit(NAME).release();
  t.match(await hear(port), { code: 'MODEL_REFUSED' });
  t.equal(fake.calls.length, 0);
});

t.test('keys from files or the environment are sent and appear nowhere else', async (t) => {
  const folder = t.testdir();
  const key = 'sk-very-secret-1234567890';
  writeFileSync(join(folder, 'key'), `${key}\n`);
  const fake = await provider(t, answers(401, { error: { message: `Incorrect API key: ${key}` } }));
  const port = await start(
    t,
    modelOptions({ main: fake.baseUrl }, { provider: { apiKeyFile: join(folder, 'key') } }),
  );
  await hear(port);
  t.equal(fake.calls[0]?.headers.authorization, `Bearer ${key}`);
  const health = await port.health();
  t.notMatch(JSON.stringify(health), /very-secret/);
  t.match(health, { reason: /\[redacted\]/ });

  process.env.TEST_MODEL_KEY = key;
  await start(t, modelOptions({ main: fake.baseUrl }, { provider: { apiKeyEnv: 'TEST_MODEL_KEY' } }));
  t.equal(process.env.TEST_MODEL_KEY, undefined, 'children do not inherit it');
  for (const wrong of [{ apiKeyFile: join(folder, 'none') }, { apiKeyEnv: 'TEST_MODEL_KEY' }])
    await t.rejects(
      start(t, modelOptions({ main: fake.baseUrl }, { provider: wrong })),
      /key of provider main/,
    );
});

t.test('the probe requests one token from each provider', async (t) => {
  const [main, other] = [await provider(t, says('y')), await provider(t, answers(401))];
  const port = await start(
    t,
    modelOptions(
      { main: main.baseUrl, other: other.baseUrl, idle: main.baseUrl },
      { models: { '*': {}, b: { provider: 'other' } } },
    ),
  );
  t.match(await port.probe(new AbortController().signal), {
    main: { ok: true },
    other: { ok: false, reason: /status 401/ },
    idle: { ok: false, reason: 'no model is configured for this provider' },
  });
  t.match(main.calls, [{ body: { max_tokens: 1 } }]);
});

t.test('invalid references in options prevent the start, all named at once', async (t) => {
  const options = modelOptions(
    { main: 'http://127.0.0.1:1/v1' },
    { models: { a: { provider: 'none', fallback: ['b'] } } },
  );
  await t.rejects(
    openAiCompatible.start({ ...pluginContext, options }),
    /models\.a\.provider names none.*fallback names b/,
  );
});
