import { request } from 'node:http';
import { type Agent, body, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SECRET = 'ECONNREFUSED db.internal:3306 /var/lib/secret';

t.test('echoes a simple request id on every response and replaces any other with a new UUID', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const idOf = async (sent: string, path = '/agents', client = api) =>
    (await client.get(path, { headers: { 'x-request-id': sent } })).headers.get('x-request-id');
  for (const id of ['a', 'A-z_0.9', '.', 'x'.repeat(128)]) t.equal(await idOf(id), id);
  for (const id of ['', ' ', 'x'.repeat(129), 'a b', 'a/b', 'ä', 'a,b', '<script>', 'a\tb', 'a;b'])
    t.match(await idOf(id), UUID);
  for (const path of ['/health', '/nope', '/agents/x', '/agents?limit=0'])
    t.equal(await idOf('mine', path), 'mine', path);
  t.equal(await idOf('mine', '/agents', service.api(null)), 'mine');
  t.equal(await idOf('mine', '/health', service.api(null)), 'mine');
  const [one, two] = [await api.get('/agents'), await api.get('/agents')];
  t.match(one.headers.get('x-request-id'), UUID);
  t.not(one.headers.get('x-request-id'), two.headers.get('x-request-id'));
});

t.test('replaces a duplicate request id', async (t) => {
  const { baseUrl } = await startTestService(t);
  const id = await new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/api/v2/health`, (answer) =>
      resolve(answer.resume().headers['x-request-id']),
    );
    sent.on('error', reject).setHeader('x-request-id', ['a', 'b']).end();
  });
  t.match(id, UUID);
});

t.test('an internal error returns a fixed message and is logged with its cause', async (t) => {
  const service = await startTestService(t, {
    storage: (real) => ({ ...real, signUpload: () => Promise.reject(new Error(SECRET)) }),
  });
  const api = await service.client();
  const { id } = await api.agent();
  const files = [{ fileName: 'a.txt' }];
  const headers = { 'x-request-id': 'a-fault' };
  const answer = await api.post(`/agents/${id}/sources/file/upload-url`, { files }, { headers });
  refused(t, answer, 500, 'INTERNAL_SERVER_ERROR');
  t.equal(answer.headers.get('x-request-id'), 'a-fault');
  t.notMatch(answer.text, /db\.internal|ECONNREFUSED|secret|node_modules|at /);
  const [line] = service.logged.filter(({ level }) => level === 'error');
  t.match(line, { fields: { requestId: 'a-fault', err: { message: SECRET } } });
});

t.test(
  'a storage failure at registration returns 500, and the files can be registered afterwards',
  async (t) => {
    let broken = true;
    const { client } = await startTestService(t, {
      storage: (real) => ({
        ...real,
        sealUpload: (path, options) =>
          broken ? Promise.reject(new Error(SECRET)) : real.sealUpload(path, options),
      }),
    });
    const api = await client();
    const { id } = await api.agent();
    const signed = await body(
      api.post<{ files: { uploadUrl: string; storagePath: string }[] }>(
        `/agents/${id}/sources/file/upload-url`,
        {
          files: [{ fileName: 'a.txt' }],
        },
      ),
    );
    const [entry] = signed.files;
    await fetch(entry?.uploadUrl ?? '', {
      method: 'PUT',
      body: 'text',
      headers: { 'content-type': 'text/plain' },
    });
    const files = [{ fileName: 'a.txt', storagePath: entry?.storagePath }];
    refused(t, await api.post(`/agents/${id}/sources/file`, { files }), 500, 'INTERNAL_SERVER_ERROR');
    broken = false;
    t.equal((await api.post(`/agents/${id}/sources/file`, { files })).status, 202);
  },
);

t.test('a database failure returns 500 without naming the database', async (t) => {
  const { api, store, workspace, baseUrl } = await startTestService(t);
  const { apiKey } = await workspace();
  const { id } = await api(apiKey).agent();
  const reads = store.reads as { agentWithSettings: unknown };
  const before = reads.agentWithSettings;
  reads.agentWithSettings = () =>
    Promise.reject(Object.assign(new Error(SECRET), { sql: 'SELECT * FROM agents' }));
  const answer = await api(apiKey).get(`/agents/${id}`);
  reads.agentWithSettings = before;
  refused(t, answer, 500, 'INTERNAL_SERVER_ERROR');
  t.notMatch(answer.text, /SELECT|db\.internal/);
  t.equal((await fetch(`${baseUrl}/livez`)).status, 200);
});

t.test('an agent with a full mailbox returns 503 without a change', async (t) => {
  const actors = { maxActive: 10, idleSeconds: 10, mailboxCapacity: 2 };
  const { client, store } = await startTestService(t, { settings: { actors } });
  const api = await client();
  const { id } = await api.agent('before');
  const { run } = store.turns;
  const open: (() => void)[] = [];
  store.turns.run = async (...turn) => {
    await new Promise<void>((resume) => open.push(resume));
    return run(...turn);
  };
  const change = (name: string) => api.patch<Agent>(`/agents/${id}`, { name });
  const first = change('first');
  await until('the first turn', () => open.length === 1);
  const rest = [change('second'), change('third')];
  const full = await Promise.race(rest);
  store.turns.run = run;
  open[0]?.();
  refused(t, full, 503, 'INTERNAL_SERVER_ERROR');
  t.equal(full.headers.get('retry-after'), '1');
  t.equal((await first).status, 200);
  const waited = (await Promise.all(rest)).find(({ status }) => status === 200);
  t.equal((await body(api.get<Agent>(`/agents/${id}`))).name, waited?.body.name);
});
