import {
  type ApiClient,
  body,
  type ErrorBody,
  invalid,
  type List,
  refused,
} from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

interface Draft {
  changes: { field: string; live: unknown; draft: unknown }[];
  conflicts: string[];
  updatedAt: number | null;
}

const MARKER = 'Only the draft says zebra.';

async function start(t: Parameters<typeof startTestService>[0], engine?: 'sqlite' | 'mysql') {
  const service = await startTestService(t, engine ? { engine } : {});
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const draft = () => body(api.get<Draft>(`${at}/draft`));
  const patch = (group: string, sent: object) => api.patch(`${at}/settings/${group}?draft=true`, sent);
  return { service, api, id, at, draft, patch };
}

await onEachEngine('a draft collects changes, and is published as one version', async (t, engine) => {
  const { api, at, draft, patch } = await start(t, engine);
  t.strictSame(await draft(), { changes: [], conflicts: [], updatedAt: null, updatedBy: null });
  await body(api.patch(`${at}/settings/design`, { title: 'Live', prompts: ['One'] }));

  t.match(await body(patch('ai', { instructionsPrompt: MARKER })), { instructionsPrompt: MARKER });
  t.match(await body(patch('design', { title: 'Drafted' })), { title: 'Drafted' });
  await body(patch('schedule', { every: 2, unit: 'hours' }));
  await body(patch('design', { prompts: ['One', 'Two'] }));
  const { changes, conflicts } = await draft();
  t.strictSame(conflicts, []);
  const fields = changes.map(({ field }) => field).sort();
  t.strictSame(fields, [
    'ai.instructionsPrompt',
    'design.prompts',
    'design.title',
    'schedule.every',
    'schedule.unit',
  ]);
  t.match(
    changes.find(({ field }) => field === 'design.title'),
    { live: 'Live', draft: 'Drafted' },
  );
  t.match(await body(api.get(`${at}/settings/design?draft=true`)), { title: 'Drafted' });
  t.match(await body(api.get(`${at}/settings/design`)), { title: 'Live' });
  t.notMatch((await api.get(at)).text, 'zebra');

  await body(patch('design', { title: 'Live' }));
  t.notOk(
    (await draft()).changes.some(({ field }) => field === 'design.title'),
    'set to its live value',
  );
  await body(patch('design', { title: 'Drafted' }));

  const { pagination } = await body(api.get<List<object>>(`${at}/versions`));
  const published = await body(api.post<{ number: number; origin: string }>(`${at}/draft/publish`));
  t.match(published, { number: pagination.total + 1, origin: 'publish' });
  t.match(await body(api.get(`${at}/settings/design`)), { title: 'Drafted' });
  t.match(await body(api.get(`${at}/settings/schedule`)), { every: 2, unit: 'hours' });
  t.strictSame((await draft()).changes, []);
  for (const [method, path] of [
    ['POST', '/draft/publish'],
    ['POST', '/draft/evaluate'],
    ['DELETE', '/draft'],
  ] as const)
    refused(t, await api.send(method, at + path), 404, 'RESOURCE_NOT_FOUND');
});

await onEachEngine(
  'a live change of a drafted field must be seen before it is replaced',
  async (t, engine) => {
    const { api, at, draft, patch } = await start(t, engine);
    await body(patch('design', { title: 'Drafted', messagePlaceholder: 'Drafted, too' }));
    await body(api.patch(`${at}/settings/design`, { title: 'Changed live' }));
    await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: 'Another live change' }));
    t.strictSame((await draft()).conflicts, ['design.title']);
    const answer = await api.post<ErrorBody>(`${at}/draft/publish`);
    invalid(t, answer, 'base');
    t.match(answer.body.error.details, { conflicts: ['design.title'] });
    const { data } = await body(api.get<List<{ number: number }>>(`${at}/versions`));
    invalid(t, await api.post(`${at}/draft/publish`, { base: (data[0]?.number ?? 0) - 1 }), 'base');
    await body(api.post(`${at}/draft/publish`, { base: data[0]?.number }));
    t.match(await body(api.get(`${at}/settings/design`)), { title: 'Drafted' });
    t.match(
      await body(api.get(`${at}/settings/ai`)),
      { instructionsPrompt: 'Another live change' },
      'it stays',
    );

    await body(patch('notifications', { dailyConversations: true }));
    await body(api.patch(`${at}/settings/notifications`, { dailyConversations: false }));
    await body(patch('design', { title: 'Drafted again' }));
    t.strictSame((await draft()).conflicts, ['notifications.dailyConversations'], 'a field that was not set');
  },
);

await onEachEngine('twenty publish at once: one wins', async (t, engine) => {
  const { api, at, patch } = await start(t, engine);
  await body(patch('design', { title: 'Drafted' }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(`${at}/draft/publish`)));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(404)]);
  const { data } = await body(api.get<List<{ origin: string }>>(`${at}/versions`));
  t.equal(data.filter(({ origin }) => origin === 'publish').length, 1);
});

t.test('what is refused live is refused in a draft', async (t) => {
  const { api, at, draft, patch, service } = await start(t);
  invalid(t, await patch('design', { position: 'top' }), 'position');
  invalid(t, await api.patch(`${at}/settings/design?draft=yes`, { title: 'x' }), 'draft');
  invalid(t, await api.patch(`${at}/settings/design?draft=true&draft=true`, { title: 'x' }), 'draft');
  invalid(t, await api.patch(`${at}?draft=true`, { name: 'x' }), 'draft');
  t.strictSame((await draft()).changes, []);
  const small = await service.client({ plan: 'starter' });
  const { id } = await small.agent();
  const paid = await small.patch(`/agents/${id}/settings/ai?draft=true`, { model: 'vendorA/familyA-6-sol' });
  refused(t, paid, 403, 'CHAT_MODEL_NOT_ALLOWED');
});

t.test('the draft answers where it is asked, and nothing is stored', async (t) => {
  const { api, at, patch } = await start(t);
  await body(patch('handover', { unansweredMessage: MARKER }));
  const ask = (stream: boolean) =>
    api.post<{ id: null; parts: { text: string }[] }>(`${at}/draft/chat`, {
      message: 'What about something unknown?',
      history: [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: 'Hi' },
      ],
      stream,
    });
  const answer = await body(ask(false));
  t.equal(answer.parts[0]?.text, MARKER);
  t.equal(answer.id, null);
  t.equal((await body(api.get<List<object>>(`${at}/conversations`))).pagination.total, 0);
  t.equal((await body(api.get<List<object>>(`${at}/questions?outcome=unanswered`))).pagination.total, 0);
  const live = await body(
    api.post<{ parts: { text: string }[] }>(`${at}/chat`, {
      message: 'What about something unknown?',
      stream: false,
    }),
  );
  t.not(live.parts[0]?.text, MARKER);
});

t.test('a draft is evaluated beside the newest live evaluation', async (t) => {
  const { service, api, at, patch } = await start(t);
  await body(patch('design', { title: 'Drafted' }));
  invalid(t, await api.post(`${at}/draft/evaluate`), 'questions');
  const questions = [{ question: 'What is unknown?', unanswerable: true }];
  await body(api.post(`${at}/evaluation-questions`, { questions }));
  const ended = async (id: string) =>
    until('the end of the evaluation', async () => {
      const { status } = await body(api.get<{ status: string }>(`${at}/evaluations/${id}`));
      return status === 'completed';
    });
  const live = await body(api.post<{ id: string }>(`${at}/evaluations`, {}));
  await ended(live.id);
  const first = await body(api.post<{ id: string }>(`${at}/draft/evaluate`));
  t.match(first, { origin: 'draft', compareTo: live.id });
  await ended(first.id);
  t.match(
    await body(api.post(`${at}/draft/evaluate`)),
    { compareTo: live.id },
    'never an evaluation of a draft',
  );
  const { secret } = await body(api.post<{ secret: string }>('/keys', { name: 'r', scope: 'read' }));
  const reader = service.api(secret);
  t.equal((await body(api.get<List<object>>(`${at}/evaluations`))).pagination.total, 3);
  t.equal((await body(reader.get<List<object>>(`${at}/evaluations`))).pagination.total, 1);
  t.equal((await reader.get(`${at}/evaluations/${first.id}`)).status, 404, 'an evaluation of a draft');
});

t.test('nobody else meets a draft', async (t) => {
  const { service, api, at, id, patch } = await start(t);
  await body(patch('ai', { instructionsPrompt: MARKER }));
  await body(patch('design', { title: MARKER, initialMessages: [MARKER] }));
  await body(patch('handover', { unansweredMessage: MARKER }));
  await body(api.patch(`${at}/settings/share`, { enabled: true }));
  const key = async (scope: string) =>
    service.api((await body(api.post<{ secret: string }>('/keys', { name: scope, scope }))).secret);
  const everybody: ApiClient[] = [api, await key('read'), await key('chat')];
  for (const client of everybody) {
    for (const path of [
      at,
      `${at}/versions`,
      `${at}/settings/ai`,
      `${at}/settings/design`,
      `${at}/settings/handover`,
    ])
      t.notMatch((await client.get(path)).text, 'zebra', path);
    const asked = await client.post(`${at}/chat?draft=true`, {
      message: 'Something unknown?',
      stream: false,
    });
    t.notMatch(asked.text, 'zebra');
  }
  t.notMatch((await api.get('/audit')).text, 'zebra');
  for (const client of everybody.slice(1)) {
    refused(t, await client.get(`${at}/draft`), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
    refused(t, await client.get(`${at}/settings/ai?draft=true`), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
    refused(t, await client.post(`${at}/draft/chat`, { message: 'x' }), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
  }
  const widget = await fetch(`${service.baseUrl}/widget/${id}`, { headers: { 'sec-fetch-dest': 'iframe' } });
  t.notMatch(await widget.text(), 'zebra');
});
