import { type Answer, body, invalid, type List, refused } from '../../support/api-client.js';
import { type Message, textOf } from '../../support/chat.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { visitorOf } from '../../support/visitors.js';

interface Contact {
  id: string;
  conversationId: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  message: string | null;
  consent: string | null;
  createdAt: number;
}

const CONSENT = 'You may write to me.';
const form = {
  fields: [
    { name: 'email', required: true },
    { name: 'phone', required: false },
    { name: 'message', required: false },
  ],
  consent: CONSENT,
};

await onEachEngine('a visitor leaves contact details in a conversation', async (t, engine) => {
  let offsetMs = 0;
  const clock = { now: () => Date.now() + offsetMs };
  const service = await startTestService(t, { engine, clock, settings: { auth: { cacheTtlSeconds: 0 } } });
  const { apiKey } = await service.workspace();
  const owner = service.api(apiKey);
  const { id: agentId } = await owner.agent();
  const at = `/agents/${agentId}`;
  const setForm = (sent: object | null) => body(owner.patch(`${at}/settings/handover`, { form: sent }));
  const visitor = async () => {
    const { token } = await visitorOf(service, agentId);
    const api = service.api(token);
    const said = await body(api.post<Message>(`${at}/chat`, { message: 'Where?', stream: false }));
    const { conversationId } = said.metadata;
    const leave = (sent: object, headers: Record<string, string> = {}) =>
      api.post<{ id: string }>(`${at}/conversations/${conversationId}/contact`, sent, { headers });
    return { api, conversationId, leave };
  };
  const list = () => body(owner.get<List<Contact>>(`${at}/contacts`));
  const sent = {
    email: ' ada@acme.com ',
    message: 'Line one\nLine two',
    name: 'not in the form',
    consent: true,
  };

  const { api, conversationId, leave } = await visitor();
  invalid(t, await leave(sent), 'form');
  await setForm(form);

  for (const [field, wrong] of [
    ['email', { email: undefined }],
    ['email', { email: ' ' }],
    ['email', { email: 'ada' }],
    ['email', { email: 'ada@acme.com\u0007' }],
    ['phone', { phone: '1'.repeat(41) }],
    ['phone', { phone: '1\n2' }],
    ['message', { message: 'a\tb' }],
    ['message', { message: 'x'.repeat(4001) }],
    ['consent', { consent: false }],
    ['consent', { consent: undefined }],
  ] as const)
    invalid(t, await leave({ ...sent, ...wrong }), field);
  t.equal((await list()).pagination.total, 0);

  const key = { 'idempotency-key': 'once' };
  const left = await leave(sent, key);
  t.equal(left.status, 201, left.text);
  t.strictSame((await body(leave(sent, key))).id, left.body.id, 'a repetition stores nothing');
  const stored = {
    id: left.body.id,
    conversationId,
    name: null,
    email: 'ada@acme.com',
    phone: null,
    message: 'Line one\nLine two',
    consent: CONSENT,
  };
  const { data, pagination } = await list();
  t.match(data, [stored]);
  t.equal(pagination.total, 1);
  t.match(await body(owner.get(`${at}/contacts/${left.body.id}`)), stored);
  const { days } = await body(owner.get<{ days: { contacts: number }[] }>(`${at}/statistics`));
  t.equal(days.at(-1)?.contacts, 1);

  // Limits: 5 of a visitor in an hour, 20 of an address.
  for (let n = 0; n < 4; n++) t.equal((await leave(sent)).status, 201);
  const limited = (answer: Answer<unknown>) => {
    refused(t, answer, 503, 'INTERNAL_SERVER_ERROR');
    const seconds = Number(answer.headers.get('retry-after'));
    t.ok(seconds > 3000 && seconds <= 3600, `${seconds}`);
  };
  limited(await leave(sent));
  t.equal((await leave(sent, key)).status, 201, 'a repetition is not counted');
  for (let n = 0; n < 3; n++) {
    const other = await visitor();
    for (let m = 0; m < 5; m++) t.equal((await other.leave(sent)).status, 201);
  }
  const last = await visitor();
  limited(await last.leave(sent));

  // Others.
  refused(
    t,
    await owner.post(`${at}/conversations/${conversationId}/contact`, sent),
    403,
    'AUTH_INSUFFICIENT_PERMISSIONS',
  );
  refused(
    t,
    await last.api.post(`${at}/conversations/${conversationId}/contact`, sent),
    404,
    'RESOURCE_NOT_FOUND',
  );
  for (const path of ['', `/${left.body.id}`])
    refused(t, await api.get(`${at}/contacts${path}`), 404, 'RESOURCE_NOT_FOUND');
  for (const scope of ['read', 'chat'] as const) {
    const { secret } = await body(owner.post<{ secret: string }>('/keys', { name: scope, scope }));
    const limitedKey = service.api(secret);
    for (const path of ['', `/${left.body.id}`])
      refused(t, await limitedKey.get(`${at}/contacts${path}`), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
    refused(
      t,
      await limitedKey.delete(`${at}/contacts/${left.body.id}`),
      403,
      'AUTH_INSUFFICIENT_PERMISSIONS',
    );
  }
  const { agentId: foreign } = { agentId: (await owner.agent('Other')).id };
  refused(t, await owner.get(`/agents/${foreign}/contacts/${left.body.id}`), 404, 'RESOURCE_NOT_FOUND');

  offsetMs += 3_601_000;
  t.equal((await (await visitor()).leave(sent)).status, 201, 'an hour later');
  t.equal((await list()).pagination.total, 21);

  // Deleting the conversation keeps the contact, deleting the contact is audited, deleting the agent deletes all.
  await body(owner.delete(`${at}/conversations/${conversationId}`));
  t.equal((await body(owner.get<Contact>(`${at}/contacts/${left.body.id}`))).conversationId, null);
  await body(owner.delete(`${at}/contacts/${left.body.id}`));
  refused(t, await owner.delete(`${at}/contacts/${left.body.id}`), 404, 'RESOURCE_NOT_FOUND');
  const { data: rows } = await body(owner.get<List<object>>('/audit?action=deleteContact'));
  t.match(rows, [{ target: { type: 'contact', id: left.body.id }, agentId }]);
  t.equal(await service.store.contacts.forget(Math.floor(clock.now() / 1000) - 60), false);
  t.equal((await list()).pagination.total, 1, 'old contacts are deleted');
  await body(owner.delete(at));
  t.strictSame(await service.store.contacts.page(agentId, { limit: 10, before: null }), []);
});

t.test('the CSV file has all contacts, and no formulas', async (t) => {
  const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });
  const { apiKey } = await service.workspace();
  const owner = service.api(apiKey);
  const { id } = await owner.agent();
  const at = `/agents/${id}`;
  const fields = ['name', 'phone', 'message'].map((name) => ({ name, required: false }));
  await body(owner.patch(`${at}/settings/handover`, { form: { fields } }));
  const { token } = await visitorOf(service, id);
  const api = service.api(token);
  const said = await body(api.post<Message>(`${at}/chat`, { message: 'Where?', stream: false }));
  t.ok(textOf(said));
  const { conversationId } = said.metadata;
  for (const sent of [
    { name: '=1+1', phone: '+49 (89) 1-2', message: 'He said "no",\nthen left' },
    { name: '＝cmd', phone: '+SUM(A1)', message: '@x' },
    { name: 'Ä', phone: '-1', message: '' },
  ])
    await body(api.post(`${at}/conversations/${conversationId}/contact`, sent));
  const file = await fetch(`${service.baseUrl}/api/v2${at}/contacts?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}`, accept: 'text/csv' },
  });
  t.equal(file.status, 200);
  t.match(file.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.match(file.headers.get('content-disposition'), /attachment; .*contacts\.csv/);
  const lines = (await file.text()).replace(/[0-9a-f-]{36}|,\d{10}/g, '').split('\r\n');
  t.strictSame(lines, [
    'id,conversationId,name,email,phone,message,consent,createdAt',
    ',,Ä,,-1,,',
    ",,'＝cmd,,'+SUM(A1),'@x,",
    ',,\'=1+1,,+49 (89) 1-2,"He said ""no"",\nthen left",',
    '',
  ]);
});
