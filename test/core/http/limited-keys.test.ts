import { openAiRoutes } from '../../../core/http/openai/openai.routes.js';
import { openApi } from '../../../core/http/openapi/document.js';
import { keyScopes } from '../../../core/schemas/key-scopes.js';
import { type ApiClient, body, type ErrorBody, type List, refused } from '../../support/api-client.js';
import { chatWith, type Message } from '../../support/chat.js';
import { onEachEngine, startTestService, type TestService } from '../../support/service.js';
import { visitorOf } from '../../support/visitors.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const settings = { auth: { cacheTtlSeconds: 0 } };

type Operation = { method: string; path: string; keyScope: unknown; role: unknown };

const operations: Operation[] = Object.entries(
  openApi().paths as Record<
    string,
    Record<string, { 'x-key-scope'?: unknown; 'x-role'?: unknown; security?: unknown[] }>
  >,
)
  .flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => security?.length !== 0)
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          path,
          keyScope: operation['x-key-scope'],
          role: operation['x-role'],
        })),
    // An endless stream; its rights are tested with the inbox.
  )
  .filter(({ path }) => path !== '/inbox/events');

const CONVERSATION = '/agents/{agentId}/conversations/{conversationId}';
/** Beside GETs of conversations. */
const forChat = [
  'GET /agents/{agentId}',
  'POST /agents/{agentId}/search',
  'POST /agents/{agentId}/chat',
  `POST ${CONVERSATION}/retry`,
  `POST ${CONVERSATION}/tool-result`,
  `POST ${CONVERSATION}/stop`,
  `PATCH ${CONVERSATION}/messages/{messageId}/feedback`,
];

/** Changes of the workspace that may be limited to the agents of the key. */
const ofAgents = ['/visitors/erase', '/visitors/export'];

/** Only visitors send these: no key may, whatever its scope. */
const forVisitors = [`POST ${CONVERSATION}/contact`, `POST ${CONVERSATION}/handover`];

/** What the contract allows, independently of the routes. */
const allowed: Record<(typeof keyScopes)[number], (operation: Operation) => boolean> = {
  full: ({ method, path }) => method === 'GET' || !/^\/(me|workspace|workspace\/mail\/test)$/.test(path),
  read: ({ method, path }) =>
    method === 'GET'
      ? !/^\/(keys|webhooks|members|audit|erasures|inbox)|\/(original|contacts|draft)\b/.test(path)
      : path === '/agents/{agentId}/search',
  chat: ({ method, path }) =>
    forChat.includes(`${method} ${path}`) ||
    (method === 'GET' && (path === '/me' || path.startsWith('/agents/{agentId}/conversations'))),
};

const addressOf = (path: string, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ABSENT);

const newKey = async (owner: ApiClient, sent: object): Promise<string> =>
  (await body(owner.post<{ secret: string }>('/keys', { name: 'k', scope: 'full', ...sent }))).secret;

await onEachEngine(
  'each scope opens exactly what the contract says, on every operation',
  async (t, engine) => {
    const service = await startTestService(t, { engine, settings });
    const owner = await service.client();
    t.ok(operations.length > 50, `${operations.length} operations`);
    for (const scope of keyScopes) {
      const api = service.api(await newKey(owner, { scope }));
      for (const operation of operations) {
        const { method, path, keyScope, role } = operation;
        // The scope is checked before the agent and the body, so nothing is changed.
        const sent = method === 'POST' || method === 'PATCH' ? {} : undefined;
        const answer = await api.send<ErrorBody>(method, addressOf(path, {}), sent);
        const what = `${scope}: ${method} ${path}`;
        if (forVisitors.includes(`${method} ${path}`)) {
          t.ok([403, 404].includes(answer.status), what);
          continue;
        }
        if (allowed[scope](operation)) {
          t.not(answer.body.error?.code, 'AUTH_INSUFFICIENT_PERMISSIONS', what);
          t.ok([200, 400, 404].includes(answer.status), `${what}: ${answer.status}`);
        } else {
          refused(t, answer, 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
          // No scope allows what only a person may do: then the role is named.
          t.strictSame(answer.body.error.details, { required: keyScope ?? role }, what);
        }
      }
    }
  },
);

/** The routes of other protocols, with the scopes that open them. */
const bridged: { method: string; path: string; scopes: readonly string[] }[] = [
  { method: 'GET', path: '/openai/v1/models', scopes: keyScopes },
  { method: 'GET', path: `/openai/v1/models/${ABSENT}`, scopes: keyScopes },
  { method: 'POST', path: '/openai/v1/chat/completions', scopes: ['full', 'chat'] },
];

await onEachEngine('each scope opens its part of the other protocols', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await service.client();
  t.equal(bridged.length, openAiRoutes.length, 'all of them');
  for (const scope of keyScopes) {
    const authorization = `Bearer ${await newKey(owner, { scope })}`;
    for (const { method, path, scopes } of bridged) {
      const response = await fetch(service.baseUrl + path, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      const { error } = (await response.json()) as Partial<ErrorBody>;
      const isRefused = error?.code === 'AUTH_INSUFFICIENT_PERMISSIONS' && response.status === 403;
      t.equal(isRefused, !scopes.includes(scope), `${scope}: ${method} ${path}`);
    }
  }
});

const SECRET = 'Zanzibar';

/** Creates an agent with sources, a job, conversations and usage. Returns their ids. */
async function fill(owner: ApiClient, service: TestService, name: string) {
  const chat = await chatWith(owner);
  const { agentId } = chat;
  await body(owner.patch(`/agents/${agentId}`, { name: `${name} agent` }));
  await body(owner.patch(`/agents/${agentId}/settings/design`, { title: `Ask ${name}` }));
  const { documentId } = await body(
    owner.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, {
      title: `${name} title`,
      content: `The secret of ${name} is a long text about ${name}.`,
    }),
  );
  const { jobId } = await body(
    owner.post<{ jobId: string }>(`/agents/${agentId}/sources/url`, { url: `https://${name}.example.com` }),
  );
  const ask = (api: ApiClient) =>
    body(
      api.post<Message>(`/agents/${agentId}/chat`, {
        message: `What is the secret of ${name}?`,
        stream: false,
      }),
    );
  const { id: messageId, metadata } = await ask(owner);
  const visitor = await visitorOf(service, agentId);
  await ask(service.api(visitor.token));
  const conversationId = metadata.conversationId ?? '';
  return { agentId, documentId, jobId, conversationId, messageId: messageId ?? '' };
}

await onEachEngine('a key for one agent sees nothing of another', async (t, engine) => {
  const service = await startTestService(t, { engine, settings });
  const owner = await service.client();
  const own = await fill(owner, service, 'Own');
  const webhook = await body(owner.post<{ id: string }>('/webhooks', { url: 'https://hooks.example.com' }));
  const secrets = [];
  for (const scope of keyScopes) secrets.push(await newKey(owner, { scope, agentIds: [own.agentId] }));
  const [full = '', read = ''] = secrets;
  const shownTo = async (secret: string) => {
    const shown: Record<string, unknown> = {};
    for (const path of ['/agents', '/workspace', '/workspace?days=3', `/agents/${own.agentId}/statistics`]) {
      const { body } = await service.api(secret).get<object>(path);
      shown[path] = body;
    }
    return shown;
  };
  const before = await shownTo(read);
  t.match(before['/workspace'], {
    allowances: { agents: { used: 1 }, visitorMessages: { used: 1 } },
    usage: { counters: [{ agentId: own.agentId, answers: 2 }] },
  });
  const workspace = await body(owner.get<object>('/workspace'));
  t.match(before['/workspace'], workspace, 'it sees all of a workspace with one agent');

  const other = await fill(owner, service, SECRET);
  t.strictSame(await shownTo(read), before, 'lists, totals and usage stay the same');
  t.equal((await body(owner.get<List<object>>('/agents'))).pagination.total, 2);

  const hidden = [SECRET, ...Object.values(other)].filter((text) => text.length > 3);
  const wrong = { ...other, agentId: own.agentId };
  for (const secret of secrets) {
    const api = service.api(secret);
    for (const { method, path } of operations) {
      const sent = method === 'POST' || method === 'PATCH' ? {} : undefined;
      const what = `${method} ${path}`;
      if (path.includes('{agentId}')) {
        // The other agent looks absent, whatever is asked of it.
        const answers = [addressOf(path, other), addressOf(path, {})].map((address) =>
          api.send<ErrorBody>(method, address, sent),
        );
        const [asked, absent] = await Promise.all(answers);
        t.strictSame([asked?.status, asked?.text], [absent?.status, absent?.text], what);
        // Of its own agent it sees nothing by ids of the other one.
        if (method !== 'GET') continue;
        const { text } = await api.get(addressOf(path, wrong));
        t.notOk(
          hidden.some((value) => text.includes(value)),
          `${what}: ${text.slice(0, 300)}`,
        );
      } else if (method === 'GET') {
        const { text } = await api.get(addressOf(path, { webhookId: webhook.id }));
        t.notOk(
          hidden.some((value) => text.includes(value)),
          `${what}: ${text.slice(0, 300)}`,
        );
      } else if (secret === full && !ofAgents.includes(path))
        refused(t, await api.send(method, addressOf(path, {}), sent), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
    }
  }
  // A cursor of the owner's list does not lead to other agents either.
  const { pagination } = await body(owner.get<List<object>>('/agents?limit=1'));
  const page = await body(
    service.api(read).get<List<{ id: string }>>(`/agents?limit=1&cursor=${pagination.cursor}`),
  );
  t.strictSame(
    page.data.map(({ id }) => id),
    [own.agentId],
  );
  const { settings: shown } = await body(
    service.api(secrets[2] ?? '').get<{ settings: object }>(`/agents/${own.agentId}`),
  );
  t.strictSame(shown, {}, 'a chat key sees no settings');

  const visits = `/agents/${own.agentId}/conversations`;
  const { data } = await body(owner.get<List<{ id: string }>>(`${visits}?source=widget`));
  await body(owner.delete(`${visits}/${data[0]?.id}`));
  t.match((await shownTo(read))['/workspace'], { allowances: { visitorMessages: { used: 1 } } }, 'deleted');
});
