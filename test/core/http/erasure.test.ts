import { body, invalid, type List, refused } from '../../support/api-client.js';
import type { Conversation, Message } from '../../support/chat.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { fileOf, storedWords, wordsInFile } from '../../support/stored-words.js';
import { until } from '../../support/until.js';
import { visitorOf } from '../../support/visitors.js';

interface Erasure {
  id: string;
  status: string;
  counts: Record<string, number>;
  sources: string[];
}

const USER = 'customer-4711-quokka';
const EMAIL = 'Quokka.Person@acme.example';
const WORDS = 'wombatly platypusish';
const SECRETS = [USER, EMAIL, EMAIL.toLowerCase(), 'wombatly', 'platypusish', 'echidnaish', 'numbatish'];

await onEachEngine('nothing of an erased person stays', async (t, engine) => {
  const logged: string[] = [];
  const services = { engine, settings: { auth: { cacheTtlSeconds: 0 } } } as const;
  const service = await startTestService(t, {
    ...services,
    onInfo: (fields, message) => void logged.push(JSON.stringify([fields, message])),
  });
  const { apiKey } = await service.workspace();
  const owner = service.api(apiKey);
  const { id: agentId } = await owner.agent();
  const at = `/agents/${agentId}`;
  const form = { fields: ['name', 'email', 'message'].map((name) => ({ name, required: false })) };
  await body(owner.patch(`${at}/settings/handover`, { form }));
  const question = `Where is the ${WORDS}?`;
  const { documentId } = await body(
    owner.post<{ documentId: string }>(`${at}/sources/qna`, {
      title: 'Kept',
      questions: ['Where is the shop?'],
      answer: 'Here.',
    }),
  );
  await body(owner.post('/webhooks', { url: 'https://hooks.acme.example/x' }));
  const { token } = await body(owner.post<{ token: string }>(`${at}/chat/tokens`, { userId: USER }));
  const visitor = service.api(token);

  const key = { headers: { 'idempotency-key': 'first' } };
  const said = await body(visitor.post<Message>(`${at}/chat`, { message: question, stream: false }, key));
  const { conversationId } = said.metadata;
  const at2 = `${at}/conversations/${conversationId}`;
  await body(visitor.post(`${at}/chat`, { message: 'where is the shop', conversationId, stream: false }));
  await body(
    visitor.patch(`${at2}/messages/${said.id}/feedback`, { feedback: 'negative', comment: 'echidnaish' }),
  );
  await body(
    visitor.post(
      `${at2}/contact`,
      { name: 'numbatish', email: EMAIL, message: WORDS },
      {
        headers: { 'idempotency-key': 'second' },
      },
    ),
  );
  const asked = await body(
    owner.post<Message>(`${at}/chat`, { message: question, userId: USER, stream: false }),
  );
  const other = await body(
    owner.post<Message>(`${at}/chat`, { message: 'Hello, you', userId: 'other', stream: false }),
  );
  // A contact whose conversation is gone, of the same address.
  const anonymous = service.api((await visitorOf(service, agentId)).token);
  const second = await body(anonymous.post<Message>(`${at}/chat`, { message: 'Hi?', stream: false }));
  const gone = `${at}/conversations/${second.metadata.conversationId}`;
  await body(anonymous.post(`${gone}/contact`, { email: EMAIL.toLowerCase() }));
  await body(owner.delete(gone));

  const found = () => storedWords(t, { engine, databaseUrl: service.databaseUrl }, SECRETS);
  const before = (await found()).join();
  for (const secret of SECRETS) t.ok(before.includes(secret), `${secret} is stored`);

  // The body.
  const post = (sent: object, api = owner) => api.post<Erasure>('/visitors/erase', sent);
  invalid(t, await post({ all: true }), 'userId');
  invalid(t, await post({ userId: USER, email: EMAIL, all: true }), 'userId');
  invalid(t, await post({ userId: USER }), 'agentId');
  invalid(t, await post({ userId: USER, agentId, all: true }), 'agentId');
  const limited = await body(
    owner.post<{ secret: string }>('/keys', { name: 'Limited', scope: 'full', agentIds: [agentId] }),
  );
  const ofAgent = service.api(limited.secret);
  refused(t, await post({ userId: 'nobody', all: true }, ofAgent), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
  const elsewhere = (await owner.agent('Other')).id;
  refused(t, await post({ userId: 'nobody', agentId: elsewhere }, ofAgent), 404, 'AGENT_NOT_FOUND');

  // The export.
  const exported = await fetch(`${service.baseUrl}/api/v2/visitors/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userId: USER, all: true }),
  });
  t.match(exported.headers.get('content-type'), 'application/x-ndjson');
  const lines = (await exported.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const kinds = lines.map(({ type }) => type);
  t.strictSame(
    ['conversation', 'message', 'contact'].map((kind) => kinds.filter((one) => one === kind).length),
    [2, 6, 1],
  );
  t.match(
    lines.find(({ type, role }) => type === 'message' && role === 'user'),
    { text: question },
  );

  // The erasure.
  const ended = async (sent: object) => {
    const answer = await post(sent);
    t.equal(answer.status, 202, answer.text);
    let state = answer.body;
    await until('the erasure', async () => {
      state = await body(owner.get<Erasure>(`/erasures/${answer.body.id}`));
      return state.status === 'done';
    });
    return state;
  };
  t.match((await ended({ userId: 'unknown', agentId })).counts, {
    conversations: 0,
    messages: 0,
    contacts: 0,
  });
  const erased = await ended({ userId: USER, all: true });
  t.match(erased.counts, { conversations: 2, messages: 6, contacts: 1 });
  t.ok((erased.counts.deliveries ?? 0) >= 3, 'deliveries of webhooks');
  t.ok((erased.counts.limits ?? 0) >= 2, 'limits');
  t.strictSame(erased.sources, [documentId]);
  t.match((await ended({ email: EMAIL, agentId })).counts, { contacts: 1, conversations: 0 });
  refused(t, await visitor.get(`${at}/conversations`), 401, 'AUTH_INVALID_API_KEY');
  refused(
    t,
    await owner.get(`${at}/conversations/${asked.metadata.conversationId}`),
    404,
    'RESOURCE_NOT_FOUND',
  );
  const { data: left } = await body(owner.get<List<Conversation>>(`${at}/conversations`));
  t.strictSame(
    left.map(({ id }) => id),
    [other.metadata.conversationId],
  );
  const { data: rows } = await body(
    owner.get<List<{ target: { id: string } }>>('/audit?action=eraseVisitor'),
  );
  t.equal(rows.length, 3);
  for (const { target } of rows) t.match(target.id, /^[0-9a-f]{64}$/);

  // The proof.
  if (engine === 'sqlite')
    await until('an empty log', () => wordsInFile(fileOf(service.databaseUrl), SECRETS).length === 0);
  t.strictSame(await found(), []);
  t.strictSame(
    SECRETS.filter((secret) => JSON.stringify([logged, service.logged]).includes(secret)),
    [],
  );
});
