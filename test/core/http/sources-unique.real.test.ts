import { body, invalid, type List, type Source } from '../../support/api-client.js';
import { registration, uploadFiles } from '../../support/files.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

interface Job {
  status: string;
  tasks: { status: string; documentId: string }[];
}

await onEachEngine(
  'with `unique`, an existing source is reported instead of added again',
  async (t, engine) => {
    const service = await startTestService(t, { engine, worker: {} });
    const { id: workspaceId, apiKey } = await service.workspace();
    const [api, other] = [service.api(apiKey), (await service.beside()).api(apiKey)];
    const agent = `/agents/${(await api.agent()).id}`;
    const used = async () => (await service.store.workspaces.find(workspaceId))?.storageBytes;
    const total = async () => (await body(api.get<List<Source>>(`${agent}/sources`))).pagination.total;
    const sent = {
      text: { title: 'Hours', content: 'Nine to five.' },
      qna: { title: 'Hours', questions: ['When?'], answer: 'Nine.' },
    };
    const send = (client: typeof api, kind: 'text' | 'qna', changes: object = {}, query = '?unique=true') =>
      client.post<{ documentId: string }>(`${agent}/sources/${kind}${query}`, { ...sent[kind], ...changes });

    for (const kind of ['text', 'qna'] as const) {
      const before = await total();
      const answers = await Promise.all(
        [api, other, api, other, api, other].map((client) => send(client, kind)),
      );
      t.same(
        answers.map(({ status }) => status).sort(),
        [200, 200, 200, 200, 200, 201],
        `${kind}: one of six at once is stored`,
      );
      t.equal(new Set(answers.map(({ body: { documentId } }) => documentId)).size, 1, 'and all name it');
      t.same(Object.keys(answers[0]?.body ?? {}), ['documentId']);
      t.equal(await total(), before + 1);
      const charged = await used();
      const again = await send(other, kind, { title: 'Another title' });
      t.same([again.status, again.body], [200, answers[0]?.body], 'whatever its title');
      t.equal(await used(), charged, 'nothing is charged');
    }
    t.equal(
      (await send(api, 'text', { content: 'Nine to six.' })).status,
      201,
      'another content is another source',
    );
    t.equal((await send(api, 'qna', { questions: ['When else?'] })).status, 201);
    for (const query of ['', '?unique=false'])
      t.equal((await send(api, 'text', {}, query)).status, 201, 'and who does not ask stores it again');
    for (const query of ['?unique=', '?unique=1', '?unique=TRUE', '?unique=true&unique=true'])
      invalid(t, await send(api, 'text', {}, query), 'unique');
    for (const kind of ['text', 'qna'] as const)
      invalid(t, await send(api, kind, { title: ' ', extra: 1 }, '?unique=1'), 'unique', 'title');
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'ä' };
    const post = (raw: string) =>
      api.send('POST', `${agent}/sources/file?unique=1`, undefined, { raw, headers });
    invalid(t, await post('{"files": []}'), 'unique', 'files', 'Idempotency-Key');
    invalid(t, await post('{'), 'unique');

    const add = async (names: string[], query: string): Promise<Job> => {
      const files = Object.fromEntries(names.map((name) => [name, 'Herons wait for fish.']));
      const entries = registration(await uploadFiles(api, agent.split('/')[2] ?? '', files));
      const { jobId } = await body(api.post<{ jobId: number }>(`${agent}/sources/file${query}`, entries));
      return until('the job to end', async () => {
        const job = await body(api.get<Job>(`${agent}/jobs/${jobId}`));
        return ['completed', 'failed'].includes(job.status) && job;
      });
    };
    const [before, charged] = [await total(), await used()];
    const files = await add(['a.txt', 'b.txt', 'c.txt'], '?unique=true');
    t.equal(files.status, 'completed');
    const named = new Set(files.tasks.map(({ documentId }) => documentId));
    t.equal(named.size, 1, 'three files with one text are one document');
    const later = await add(['d.txt'], '?unique=true');
    t.same([later.status, later.tasks[0]?.documentId], ['completed', [...named][0]]);
    t.equal(await total(), before + 1);
    t.equal(
      await used(),
      (charged ?? 0) + 'Herons wait for fish.'.length,
      'the bytes of the others are given back',
    );
    t.not((await add(['e.txt'], '')).tasks[0]?.documentId, [...named][0]);
    t.equal(await total(), before + 2);
  },
);

t.test('the same key with and without `unique` is a different request', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const agent = `/agents/${(await service.api(apiKey).agent()).id}`;
  const post = async (query: string): Promise<number> => {
    const { status } = await fetch(`${service.baseUrl}/api/v2${agent}/sources/text${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: JSON.stringify({ title: 't', content: 'c' }),
    });
    return status;
  };
  t.same([await post('?unique=true'), await post('?unique=true'), await post('')], [201, 201, 400]);
});

t.test('a source that exists already needs no space', async (t) => {
  const text = 'Nine to five.';
  const service = await startTestService(t);
  const { apiKey } = await service.workspace({ set: { 'limits.storageBytes': text.length } });
  const api = service.api(apiKey);
  const path = `/agents/${(await api.agent()).id}/sources/text?unique=true`;
  const add = (content: string) => api.post<{ documentId: string }>(path, { title: 'Hours', content });
  const first = await add(text);
  t.equal(first.status, 201);
  const again = await add(text);
  t.same([again.status, again.body], [200, first.body], 'the storage is full');
  t.equal((await add('Something else.')).status, 403);
});
