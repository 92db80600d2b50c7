import type { Test } from 'tap';
import { openAiCompatible } from '../../../adapters/openai-compatible/index.js';
import { models } from '../../../core/schemas/models.js';
import { invalid, refused } from '../../support/api-client.js';
import * as provider from '../../support/fake-provider.js';
import { modelOptions, pluginContext } from '../../support/models.js';
import { onEachEngine, startTestService, type TestServiceOptions } from '../../support/service.js';
import t from '../../support/t.js';

interface ListedModel {
  model: string;
  allowed: boolean;
  configured: boolean;
  provider: string | null;
  default: boolean;
}

interface ModelTest {
  ok: boolean;
  latencyMs: number;
  error: { code: string; message: string } | null;
}

const CONFIGURED = 'vendorB/familyB-haiku-4-5';
const FALLBACK = 'vendorB/familyB-sonnet-5';

/** A service whose provider `main` serves two models, the second as the fallback of the first. */
async function withProvider(t: Test, options: Partial<TestServiceOptions> = {}) {
  const [main, spare] = await Promise.all([provider.startFakeProvider(), provider.startFakeProvider()]);
  const { port, stop } = await openAiCompatible.start({
    ...pluginContext,
    options: modelOptions(
      { main: main.baseUrl, spare: spare.baseUrl },
      { models: { [CONFIGURED]: { fallback: [FALLBACK] }, [FALLBACK]: { provider: 'spare' } } },
    ),
  });
  t.teardown(async () => {
    await stop({ deadlineMs: 1000 });
    await Promise.all([main.close(), spare.close()]);
  });
  const settings = { models: { default: FALLBACK } };
  const service = await startTestService(t, { model: port, settings, ...options });
  const api = await service.client();
  const test = (model: string) => api.post<ModelTest>('/models/test', { model });
  return { main, spare, service, api, test };
}

t.test('lists all models, configured ones first', async (t) => {
  const { api, service } = await withProvider(t);
  const { data } = (await api.get<{ data: ListedModel[] }>('/models')).body;
  t.strictSame(data.slice(0, 3), [
    { model: FALLBACK, allowed: true, configured: true, provider: 'spare', default: true },
    { model: CONFIGURED, allowed: true, configured: true, provider: 'main', default: false },
    { model: models[0], allowed: true, configured: false, provider: null, default: false },
  ]);
  t.strictSame(data.map(({ model }) => model).sort(), [...models].sort());
  const free = await service.client({ plan: 'starter' });
  const allowed = (await free.get<{ data: ListedModel[] }>('/models')).body.data.filter((one) => one.allowed);
  t.ok(allowed.length < models.length, 'a plan with fewer models');
});

t.test('without a language model, none is configured', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const { data } = (await api.get<{ data: ListedModel[] }>('/models')).body;
  t.ok(data.every(({ configured, provider }) => !configured && provider === null));
  const { status, body } = await api.post<ModelTest>('/models/test', { model: CONFIGURED });
  t.equal(status, 200);
  t.match(body, {
    ok: false,
    latencyMs: 0,
    error: { code: 'MODEL_REFUSED', message: /No provider is connected/ },
  });
});

t.test('a test asks the model itself for a few tokens', async (t) => {
  const { main, spare, test, api, service } = await withProvider(t);
  main.play(provider.says('Yes.'));
  const answered = await test(CONFIGURED);
  t.equal(answered.status, 200, answered.text);
  t.match(answered.body, { ok: true, error: null });
  t.ok(Number(main.calls[0]?.body.max_tokens) <= 16);

  main.play((response) =>
    response.writeHead(401).end('{"error": {"message": "Wrong key sk-secret of Acme"}}'),
  );
  const denied = await test(CONFIGURED);
  t.match(denied.body, { ok: false, error: { code: 'MODEL_REFUSED' } });
  t.notMatch(denied.text, /sk-secret|Acme/, 'no text of the provider');

  main.play((response) => response.writeHead(500).end());
  spare.play(provider.says('Yes.'));
  const replaced = await test(CONFIGURED);
  t.match(replaced.body, { ok: false, error: { code: 'MODEL_UNAVAILABLE' } }, 'only its fallback answered');

  t.match((await test('vendorA/familyA-6-astra')).body, { ok: false, error: { code: 'MODEL_REFUSED' } });
  invalid(t, await test('unknown'), 'model');
  const starter = await service.client({ plan: 'starter' });
  const sent = spare.calls.length;
  refused(t, await starter.post('/models/test', { model: FALLBACK }), 403, 'CHAT_MODEL_NOT_ALLOWED');
  t.equal(spare.calls.length, sent, 'no provider is asked for a model that the plan does not include');

  t.equal((await test(FALLBACK)).body.ok, true);
  const calls = spare.calls.length;
  invalid(t, await test(FALLBACK), 'model');
  t.equal(spare.calls.length, calls, 'the sixth test within a minute is refused');
  const other = await service.client();
  t.equal((await other.post('/models/test', { model: FALLBACK })).status, 200, 'another workspace');
  const { conversationBytes, usage } = (
    await api.get<{ conversationBytes: number; usage: { totals: { answers: number } } }>('/workspace')
  ).body;
  t.strictSame([conversationBytes, usage.totals.answers], [0, 0], 'nothing is stored');
});

t.test('the limit of tests is a sliding minute', async (t) => {
  let now = Date.now();
  const { main, test } = await withProvider(t, { clock: { now: () => now } });
  main.play(provider.says('Yes.'));
  for (let n = 0; n < 5; n += 1) t.equal((await test(CONFIGURED)).status, 200);
  invalid(t, await test(CONFIGURED), 'model');
  now += 61_000;
  t.equal((await test(CONFIGURED)).status, 200);
});

await onEachEngine('the limit of tests holds over all processes', async (t, engine) => {
  const { main, service } = await withProvider(t, { engine });
  main.play(provider.says('Yes.'));
  const second = await service.beside();
  const { apiKey } = await service.workspace();
  const processes = [service.api(apiKey), second.api(apiKey)];
  const answers = await Promise.all(
    [1, 2, 3, 4]
      .flatMap(() => processes)
      .map((process) => process.post('/models/test', { model: CONFIGURED })),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 5);
  t.equal(main.calls.length, 5);
});
