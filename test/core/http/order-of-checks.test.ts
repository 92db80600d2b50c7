import { invalid, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { agentEndpoints } from './agent-endpoints.js';

const service = await startTestService(t);
const ABSENT = '01890000-0000-7000-8000-000000000000';
const malformed = { raw: '{', headers: { 'content-type': 'application/json' } };

t.test('the key comes first: before the route, the agent and the body', async (t) => {
  const [none, wrong] = [service.api(null), service.api('wrong')];
  for (const path of ['', '/', '/nope', `/agents/${ABSENT}`, '/agents?limit=0']) {
    refused(t, await none.get(path), 401, 'AUTH_MISSING_API_KEY');
    refused(t, await wrong.get(path), 401, 'AUTH_INVALID_API_KEY');
  }
  refused(t, await none.send('POST', '/agents', undefined, malformed), 401, 'AUTH_MISSING_API_KEY');
  refused(t, await wrong.send('POST', '/agents', undefined, malformed), 401, 'AUTH_INVALID_API_KEY');
});

t.test('then the plan: before the route, the agent and the body', async (t) => {
  const free = await service.client({ plan: 'free' });
  for (const path of ['/nope', `/agents/${ABSENT}`, '/agents?limit=0']) {
    refused(t, await free.get(path), 403, 'SUBSCRIPTION_PLAN_REQUIRED');
  }
  refused(t, await free.send('POST', '/agents', undefined, malformed), 403, 'SUBSCRIPTION_PLAN_REQUIRED');
});

t.test('then the route: before the agent', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const paths = [
    '',
    '/',
    '/nope',
    '/agents/',
    '/Agents',
    `/agents/${id}/`,
    `/agents/${id}/nope`,
    `/agents/${ABSENT}/nope`,
  ];
  for (const path of [
    ...paths,
    `/agents/${id}/settings`,
    `/agents/${id}/settings/nope`,
    `/agents/${id}/sources/x/y`,
    '//agents',
  ]) {
    refused(t, await api.get(path), 404, 'RESOURCE_NOT_FOUND');
  }
});

t.test('an unknown method is an unknown route', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const wrong = [
    ['PUT', '/agents'],
    ['DELETE', '/agents'],
    ['OPTIONS', '/agents'],
    ['POST', `/agents/${id}`],
    ['PUT', `/agents/${id}/settings/ai`],
    ['DELETE', `/agents/${id}/train`],
    ['POST', `/agents/${ABSENT}`],
    ['POST', `/agents/${id}/jobs`],
    ['QUERY', '/agents'],
  ] as const;
  for (const [method, path] of wrong) refused(t, await api.send(method, path), 404, 'RESOURCE_NOT_FOUND');
});

t.test(
  'then the agent: identical responses for absent, foreign and malformed ids, on every endpoint',
  async (t) => {
    const [mine, theirs] = [await service.client(), await service.client()];
    const foreign = (await theirs.agent()).id;
    const deleted = (await mine.agent()).id;
    await mine.delete(`/agents/${deleted}`);
    const ids = [
      ABSENT,
      foreign,
      foreign.toUpperCase(),
      deleted,
      'x',
      '1',
      '%00',
      '%E0%A4%A',
      `${ABSENT}0`,
      '%F0%9F%98%80',
      "'--",
      '..%2f',
    ];
    const answers = new Set<string>();
    for (const { method, path, body } of agentEndpoints) {
      for (const id of ids) {
        const answer = await mine.send(method, `/agents/${id}${path}`, body);
        refused(t, answer, 404, 'AGENT_NOT_FOUND');
        const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
        answers.add(JSON.stringify([answer.text, headers]));
      }
    }
    t.equal(answers.size, 1, [...answers].join('\n'));
    t.equal((await theirs.get(`/agents/${foreign}`)).status, 200, 'and nothing happened to the foreign one');
  },
);

t.test('the agent comes before path, query and body', async (t) => {
  const api = await service.client();
  for (const path of [
    '/sources?limit=0',
    '/sources?cursor=x',
    '/sources?sourceType=x',
    '/sources/x',
    '/sources/x/content',
    '/jobs/x',
  ]) {
    refused(t, await api.get(`/agents/${ABSENT}${path}`), 404, 'AGENT_NOT_FOUND');
  }
  for (const { method, path } of agentEndpoints.filter(({ body }) => body)) {
    refused(
      t,
      await api.send(method, `/agents/${ABSENT}${path}`, undefined, malformed),
      404,
      'AGENT_NOT_FOUND',
    );
    refused(t, await api.send(method, `/agents/${ABSENT}${path}`), 404, 'AGENT_NOT_FOUND');
  }
});

t.test('problems of path, query and body are reported together', async (t) => {
  const api = await service.client();
  const at = `/agents/${(await api.agent()).id}`;
  invalid(t, await api.patch(`${at}/sources/x`, { title: '', content: 5 }), 'documentId', 'title', 'content');
  invalid(t, await api.patch(`${at}/sources/x`, { title: 'fine' }), 'documentId');
  invalid(t, await api.send('PATCH', `${at}/sources/x`, undefined, malformed), 'documentId');
  const messages = `${at}/conversations/${'c'.repeat(129)}/messages`;
  invalid(t, await api.get(`${messages}?limit=0&cursor=x`), 'conversationId', 'limit', 'cursor');
});

t.test('validation comes before plan features and quotas', async (t) => {
  const api = await service.client({
    plan: 'starter',
    set: { 'limits.agents': 1, 'limits.storageBytes': 3 },
  });
  const { id } = await api.agent();
  const at = (path: string) => `/agents/${id}${path}`;
  invalid(t, await api.post('/agents', { name: '' }), 'name');
  refused(t, await api.post('/agents', { name: 'x' }), 403, 'QUOTA_CHATBOT_LIMIT');

  const model = 'vendorA/familyA-6-astra';
  invalid(t, await api.patch(at('/settings/ai'), { model, instructionsPrompt: 5 }), 'instructionsPrompt');
  refused(
    t,
    await api.patch(at('/settings/ai'), { model, instructionsPrompt: 'x' }),
    403,
    'CHAT_MODEL_NOT_ALLOWED',
  );

  invalid(t, await api.patch(at('/settings/training'), { autoRetrainEnabled: 'true' }), 'autoRetrainEnabled');
  refused(
    t,
    await api.patch(at('/settings/training'), { autoRetrainEnabled: true }),
    403,
    'SUBSCRIPTION_API_RESTRICTED_PLAN',
  );

  invalid(t, await api.post(at('/sources/text'), { title: '', content: 'long' }), 'title');
  refused(
    t,
    await api.post(at('/sources/text'), { title: 'x', content: 'long' }),
    403,
    'QUOTA_STORAGE_LIMIT',
  );

  const video = 'https://www.youtube.com/watch?v=abc';
  invalid(t, await api.post(at('/sources/url'), { url: 'https://localhost/a.mp4' }), 'url');
  refused(t, await api.post(at('/sources/url'), { url: video }), 403, 'SUBSCRIPTION_API_RESTRICTED_PLAN');
  t.strictSame((await api.get<{ data: [] }>(at('/jobs'))).body.data, []);
});
