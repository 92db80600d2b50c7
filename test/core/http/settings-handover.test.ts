import type { JsonObject } from '../../../core/schemas/json.js';
import { type Agent, body, invalid, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });

const hours = { timeZone: 'Europe/Berlin', days: { mon: [['09:00', '17:00']], sun: [] } };
const form = {
  fields: [
    { name: 'email', required: true },
    { name: 'message', required: false },
  ],
  intro: 'Leave your address.',
  thanks: null,
  consent: 'You may write to me.',
};

t.test('a change keeps other fields, replaces hours and form as a whole, and null clears', async (t) => {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  const path = `${agent}/settings/handover`;
  t.strictSame(await body(api.get(path)), {});
  t.strictSame(await body(api.patch(path, { enabled: true, hours, form })), { enabled: true, hours, form });
  const shorter = { fields: [{ name: 'phone', required: true }] };
  t.strictSame(
    await body(api.patch(path, { hours: { timeZone: 'UTC', days: {}, x: 1 }, form: shorter, x: 1 })),
    {
      enabled: true,
      hours: { timeZone: 'UTC', days: {} },
      form: { ...shorter, intro: null, thanks: null, consent: null },
    },
  );
  t.strictSame(await body(api.patch(path, { hours: null, form: null, unansweredMessage: ' Ask us. ' })), {
    enabled: true,
    unansweredMessage: 'Ask us.',
  });
  const { settings } = await body(api.get<Agent>(agent));
  t.strictSame(settings, {}, 'the settings of the agent do not show the group');
  const all = await body(api.patch<JsonObject>(`${agent}/settings/design`, { title: 'Help' }));
  t.strictSame(all, { title: 'Help' });
});

t.test('wrong fields are refused by name', async (t) => {
  const api = await service.client();
  const path = `/agents/${(await api.agent()).id}/settings/handover`;
  const day = (...spans: unknown[]) => ({ hours: { timeZone: 'UTC', days: { mon: spans } } });
  const fields = (...names: string[]) => ({
    form: { fields: names.map((name) => ({ name, required: false })) },
  });
  for (const [field, sent] of [
    ['enabled', { enabled: null }],
    ['offer', { offer: 'sometimes' }],
    ['waitSeconds', { waitSeconds: 29 }],
    ['waitSeconds', { waitSeconds: 3601 }],
    ['waitSeconds', { waitSeconds: 60.5 }],
    ['hours', { hours: { timeZone: 'Berlin', days: {} } }],
    ['hours', { hours: { timeZone: 'UTC' } }],
    ['hours', day(['09:00', '09:00'])],
    ['hours', day(['17:00', '09:00'])],
    ['hours', day(['09:00', '12:00'], ['11:59', '13:00'])],
    ['hours', day(['00:00', '01:00'], ['02:00', '03:00'], ['04:00', '05:00'], ['06:00', '07:00'])],
    ['hours', day(['09:00'])],
    ['hours', day(1, ['09:00', 2])],
    ['hours', day(['09:00', '24:01'])],
    ['hours', day(['9:00', '10:00'])],
    ['form', { form: { fields: [] } }],
    ['form', fields('email', 'email')],
    ['form', fields('address')],
    ['form', { form: { ...form, intro: ' ' } }],
    ['form', { form: { ...form, thanks: 'x'.repeat(201) } }],
    ['form', { form: { ...form, consent: 'x'.repeat(501) } }],
    ['unansweredMessage', { unansweredMessage: ' ' }],
    ['unansweredMessage', { unansweredMessage: 'x'.repeat(501) }],
    ['unansweredMessage', { unansweredMessage: 'See [1].' }],
  ] as const)
    invalid(t, await api.patch(path, sent), field);
  invalid(t, await api.patch(path, {}));
  t.strictSame(await body(api.get(path)), {});
  const touching = day(['12:00', '24:00'], ['00:00', '12:00']);
  t.strictSame(await body(api.patch(path, touching)), touching);
});

t.test('readers cannot change the settings', async (t) => {
  const { id, apiKey } = await service.workspace();
  const path = `/agents/${(await service.api(apiKey).agent()).id}/settings/handover`;
  for (const scope of ['read', 'chat'] as const) {
    const { secret } = await body(service.api(apiKey).post<{ secret: string }>('/keys', { name: id, scope }));
    refused(
      t,
      await service.api(secret).patch(path, { enabled: true }),
      403,
      'AUTH_INSUFFICIENT_PERMISSIONS',
    );
  }
});

t.test('versions show and restore the settings, and the audit log has the change', async (t) => {
  const api = await service.client();
  const at = `/agents/${(await api.agent()).id}`;
  const path = `${at}/settings/handover`;
  await body(api.patch(path, { enabled: true, unansweredMessage: 'Ask us.' }));
  await body(api.patch(path, { unansweredMessage: 'Call us.' }));
  const { data } = await body(api.get<{ data: { number: number; changes: object[] }[] }>(`${at}/versions`));
  t.strictSame(data[0]?.changes, [
    { field: 'handover.unansweredMessage', before: 'Ask us.', after: 'Call us.' },
  ]);
  const version = await body(api.get<JsonObject>(`${at}/versions/${data[1]?.number}`));
  t.match(version, {
    settings: {},
    apart: { handover: { enabled: true, unansweredMessage: 'Ask us.' } },
  });
  t.notOk('handover' in (version.settings as object));
  await body(api.post(`${at}/versions/${data[1]?.number}/restore`, {}));
  t.strictSame(await body(api.get(path)), { enabled: true, unansweredMessage: 'Ask us.' });
  const { data: rows } = await body(
    api.get<{ data: { action: string; changes: object }[] }>('/audit?limit=100'),
  );
  t.match(
    rows.filter(({ action }) => action === 'updateHandoverSettings').map(({ changes }) => changes),
    [{ unansweredMessage: { before: 'Ask us.', after: 'Call us.' } }, { enabled: { after: true } }],
  );
});
