import { type Agent, body, invalid, refused } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { updateWorkspace } from '../../support/workspace.js';

const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });
const current = [
  ...[
    'vendorA/familyA-6-astra',
    'vendorA/familyA-6-sol',
    'vendorA/familyA-6-luna',
    'vendorA/familyA-5.6-sol',
  ],
  ...[
    'vendorA/familyA-5.6-terra',
    'vendorB/familyB-fable-5.1',
    'vendorB/familyB-opus-5.5',
    'vendorB/familyB-opus-5',
  ],
  ...[
    'vendorB/familyB-sonnet-5',
    'vendorB/familyB-haiku-4-5',
    'vendorC/familyC-3.7-flash',
    'vendorC/familyC-3.1-pro-preview',
  ],
];
const legacy = [
  ...['vendorA/familyA-5.5', 'vendorA/familyA-5.4', 'vendorA/familyA-5.4-mini', 'vendorA/familyA-5.4-nano'],
  ...['vendorB/familyB-opus-4.7', 'vendorB/familyB-opus-4-6', 'vendorB/familyB-sonnet-4-6'],
  ...['vendorC/familyC-3-flash-preview', 'vendorC/familyC-3.6-flash'],
];
const starter = [
  ...[
    'vendorA/familyA-6-luna',
    'vendorB/familyB-haiku-4-5',
    'vendorC/familyC-3.7-flash',
    'vendorA/familyA-5.4-mini',
  ],
  ...['vendorA/familyA-5.4-nano', 'vendorC/familyC-3-flash-preview', 'vendorC/familyC-3.6-flash'],
];
const presets = [
  'custom',
  'ai-chatbot',
  'customer-support',
  'sales-agent',
  'language-tutor',
  'coding-expert',
  'life-coach',
];

async function fresh(options: Parameters<typeof service.client>[0] = {}) {
  const api = await service.client(options);
  const { id } = await api.agent();
  return { api, agent: `/agents/${id}`, path: `/agents/${id}/settings/ai` };
}

t.test(
  'the business plan accepts every current and legacy model, so what was read can be written back',
  async (t) => {
    const { api, path } = await fresh();
    for (const model of [...current, ...legacy]) {
      t.strictSame(await body(api.patch(path, { model })), { model });
      t.strictSame(await body(api.patch(path, await body(api.get(path)))), { model });
    }
  },
);

t.test('the starter plan accepts only the smallest models; a rejection changes nothing', async (t) => {
  const { api, path } = await fresh({ plan: 'starter' });
  for (const model of starter) t.strictSame(await body(api.patch(path, { model })), { model });
  const before = await body(api.get(path));
  for (const model of [...current, ...legacy].filter((model) => !starter.includes(model))) {
    refused(t, await api.patch(path, { model, instructionsPrompt: 'x' }), 403, 'CHAT_MODEL_NOT_ALLOWED');
  }
  t.strictSame(await body(api.get(path)), before);
});

t.test('the current plan decides, not the plan at the creation of the agent', async (t) => {
  const { id, apiKey } = await service.workspace({ plan: 'starter' });
  const api = service.api(apiKey);
  const path = `/agents/${(await api.agent()).id}/settings/ai`;
  const model = 'vendorB/familyB-opus-5';
  refused(t, await api.patch(path, { model }), 403, 'CHAT_MODEL_NOT_ALLOWED');
  await updateWorkspace(service.store.workspaces, id, { plan: 'business' });
  t.strictSame(await body(api.patch(path, { model })), { model });
  await updateWorkspace(service.store.workspaces, id, { plan: 'starter' });
  t.strictSame(
    await body(api.patch(path, { instructionsPrompt: 'x' })),
    { model, instructionsPrompt: 'x' },
    'other fields may change',
  );
});

t.test('the preset is one of seven; instructions may be any text', async (t) => {
  const { api, path } = await fresh();
  for (const instructionsPreset of presets)
    t.match(await body(api.patch(path, { instructionsPreset })), { instructionsPreset });
  for (const instructionsPrompt of ['', ' x ', 'x'.repeat(65_536), '<script>\u{1F600}\n']) {
    t.match(await body(api.patch(path, { instructionsPrompt })), { instructionsPrompt });
    t.match(await body(api.get(path)), { instructionsPrompt });
  }
});

t.test('names values of the wrong type or outside the list', async (t) => {
  const { api, path } = await fresh();
  const models = [
    '',
    'x',
    'vendorA/familyA-6-LUNA',
    'familyA-6-luna',
    ' vendorA/familyA-6-luna',
    null,
    5,
    {},
    ['vendorA/familyA-6-luna'],
  ];
  for (const model of [...models, 'constructor', '__proto__'])
    invalid(t, await api.patch(path, { model }), 'model');
  for (const instructionsPreset of ['', 'Custom', null, 1])
    invalid(t, await api.patch(path, { instructionsPreset }), 'instructionsPreset');
  for (const instructionsPrompt of [null, 1, true, ['x']])
    invalid(t, await api.patch(path, { instructionsPrompt }), 'instructionsPrompt');
  const all = { model: 1, instructionsPreset: 2, instructionsPrompt: 3 };
  invalid(t, await api.patch(path, all), 'model', 'instructionsPreset', 'instructionsPrompt');
  for (const sent of [{}, { temperature: 1 }, { ai: { model: 'vendorA/familyA-6-luna' } }])
    invalid(t, await api.patch(path, sent));
  t.strictSame(await body(api.get(path)), {});
});

t.test('other changes of the agent keep the settings', async (t) => {
  const client = await service.client();
  const { id } = await client.agent();
  const rename = (name: string) => client.patch<Agent>(`/agents/${id}`, { name });
  t.equal((await rename('a')).status, 200);
  await body(client.patch(`/agents/${id}/settings/ai`, { instructionsPrompt: 'Be kind.' }));
  t.match((await rename('b')).body, { settings: { ai: { instructionsPrompt: 'Be kind.' } } });
  await body(client.post(`/agents/${id}/sources/text`, { title: 'T', content: 'A text.' }));
  t.match((await client.get(`/agents/${id}`)).body, {
    name: 'b',
    settings: { ai: { instructionsPrompt: 'Be kind.' } },
  });
});

await onEachEngine('groups are merged field by field and do not affect each other', async (t, engine) => {
  const { client } = await startTestService(t, { engine });
  const api = await client();
  const { id } = await api.agent();
  const at = (group: string) => `/agents/${id}/settings/${group}`;
  for (const group of ['ai', 'design', 'security', 'notifications', 'training'])
    t.strictSame(await body(api.get(at(group))), {});

  await body(api.patch(at('ai'), { model: 'vendorB/familyB-opus-5', unknown: 1 }));
  t.strictSame(await body(api.patch(at('ai'), { instructionsPreset: 'custom' })), {
    model: 'vendorB/familyB-opus-5',
    instructionsPreset: 'custom',
  });
  await body(api.patch(at('notifications'), { quotaAlerts: false }));
  t.strictSame(await body(api.patch(at('notifications'), { dailyEmails: true })), {
    quotaAlerts: false,
    dailyEmails: true,
  });
  await body(api.patch(at('training'), { autoRetrainEnabled: true }));
  await body(api.patch(at('security'), { isPrivate: true }));
  await body(api.patch(at('design'), { title: 'T' }));
  t.strictSame((await body(api.get<Agent>(`/agents/${id}`))).settings, {
    ai: { model: 'vendorB/familyB-opus-5', instructionsPreset: 'custom' },
    notification: { quotaAlerts: false, dailyEmails: true },
    training: { autoRetrainEnabled: true },
    security: { isPrivate: true },
    title: 'T',
  });
  t.strictSame(await body(api.get(at('design'))), { title: 'T' });
});
