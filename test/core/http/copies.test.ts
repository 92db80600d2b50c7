import { v7 as uuidv7 } from 'uuid';
import type { Storage } from '../../../core/ports/storage.port.js';
import { contentUnder, indexText } from '../../../core/retrieval/index-text.js';
import { type Agent, type ApiClient, body, invalid, type List, refused } from '../../support/api-client.js';
import { onEachEngine, startTestService, type TestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { updateWorkspace } from '../../support/workspace.js';

interface Copy {
  jobId: string;
  agentId: string;
}
interface Job {
  id: string;
  type: string;
  status: string;
  leftOut?: string[];
}
interface Allowances {
  agents: { used: number };
  storageBytes: { used: number };
}
interface Source {
  id: string;
  title: string;
  sourceType: string;
  sourceMetadata: object;
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const TEXT = 'To reset the device, hold the power button for ten seconds. Ünïcödé 🙂\n\n';

const EXTRACTED = { chunks: 1, truncated: false, bytes: 12 };
const PAGE_URL = 'https://acme.com/a';
const PAGE = {
  ...EXTRACTED,
  url: PAGE_URL,
  finalUrl: PAGE_URL,
  status: 200,
  contentKind: 'html',
  etag: '"a"',
};
const FILE = { ...EXTRACTED, fileName: 'a.txt', contentType: 'text/plain', contentKind: 'txt' };

await onEachEngine('copies of agents', async (t, engine) => {
  /** Reads of objects wait for this. */
  let gate: Promise<void> = Promise.resolve();
  const storage = (real: Storage): Storage =>
    new Proxy(real, {
      get: (target, name) =>
        name === 'get'
          ? async (path: string) => {
              if (path.includes('/pictures/')) await gate;
              return target.get(path);
            }
          : Reflect.get(target, name),
    });
  const service = await startTestService(t, { engine, storage, settings: { auth: { cacheTtlSeconds: 0 } } });
  await service.beside({ storage });

  const allowances = async (api: ApiClient): Promise<number[]> => {
    const { agents, storageBytes } = (await body(api.get<{ allowances: Allowances }>('/workspace')))
      .allowances;
    return [agents.used, storageBytes.used];
  };
  const jobOf = ({ jobId, agentId }: Copy) => `/agents/${agentId}/jobs/${jobId}`;
  const completed = (api: ApiClient, copy: Copy): Promise<Job> =>
    until('the end of the copy', async () => {
      const job = await body(api.get<Job>(jobOf(copy)));
      return job.status === 'completed' ? job : null;
    });
  const gone = (api: ApiClient, copy: Copy) =>
    until('the end of the copy', async () => (await api.get(jobOf(copy))).status === 404);
  /** An agent with a picture, two texts and an answer. */
  async function original() {
    const { id: workspaceId, apiKey } = await service.workspace();
    const api = service.api(apiKey);
    const { id } = await api.agent('Original');
    const at = `/agents/${id}`;
    for (const title of ['One', 'Two'])
      await body(api.post(`${at}/sources/text`, { title, content: TEXT + title }));
    const answer = { title: 'Returns', questions: ['Can I return it?'], answer: 'Within 30 days.' };
    await body(api.post(`${at}/sources/qna`, answer));
    const picture = await body(api.post<{ url: string; hash: string }>(`${at}/pictures`, { data: PIXEL }));
    await body(api.patch(`${at}/settings/design`, { title: 'Ask', profilePictureUrl: picture.url }));
    return { api, apiKey, workspaceId, id, at, picture };
  }

  await t.test('a copy has settings, pictures, kept questions and sources of its own', async (t) => {
    const { api, id, at, workspaceId, picture } = await original();
    await addPageAndFile(service, workspaceId, id);
    await body(api.patch(at, { url: 'https://acme.com' }));
    await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: 'Be brief.' }));
    await body(api.patch(`${at}/settings/share`, { enabled: true }));
    await body(api.patch(`${at}/settings/handover`, { enabled: true }));
    await body(api.patch(`${at}/settings/training`, { autoRetrainEnabled: true }));
    await body(api.patch(`${at}/settings/schedule`, { every: 2, unit: 'days' }));
    await body(api.post(`${at}/identity-secret`));
    await body(api.patch(`${at}/settings/ai?draft=true`, { instructionsPrompt: 'A draft.' }));
    await body(
      api.post(`${at}/evaluation-questions`, { questions: [{ question: 'How?', answer: [['power']] }] }),
    );
    const site = { url: 'https://acme.com/', depth: 1, limit: 5, include: ['/a/**'] };
    await body(api.post(`${at}/sources/site`, site));
    const before = await allowances(api);

    const copy = await body(api.post<Copy>(`${at}/copy`, { name: ' Second ', sources: true }));
    const job = await completed(api, copy);
    t.match(job, {
      type: 'copy_agent',
      status: 'completed',
      leftOut: [],
      tasksCount: 6,
      tasksCompletedCount: 6,
    });
    const own = `/agents/${copy.agentId}`;
    const made = await body(api.get<Agent>(own));
    const source = await body(api.get<Agent>(at));
    const { identityVerification: _, ...settings } = source.settings;
    const branding = made.settings.branding as { profilePictureUrl: string };
    t.match(made, { name: 'Second', url: 'https://acme.com' });
    t.same(made.settings, { ...settings, branding }, 'all settings but the secret and the pictures');
    t.not(branding.profilePictureUrl, picture.url);
    const shown = await fetch(branding.profilePictureUrl);
    t.equal(Buffer.from(await shown.arrayBuffer()).toString('base64'), PIXEL);
    t.match(await body(api.get(`${own}/settings/share`)), {});
    t.match(await body(api.get(`${own}/settings/handover`)), { enabled: true });
    const schedule = await body(api.get<{ nextAt: number }>(`${own}/settings/schedule`));
    t.match(schedule, { every: 2, unit: 'days' });
    t.ok(schedule.nextAt > Date.now() / 1000);
    t.match(await body(api.get(`${own}/versions`)), { data: [{ number: 1, origin: 'create' }] });
    t.match(await body(api.get(`${own}/draft`)), { changes: [] });
    t.match(await body(api.get(`${own}/evaluation-questions`)), {
      data: [{ question: { question: 'How?' } }],
    });
    t.match(await body(api.get(`${own}/sites`)), { data: [{ ...site, pages: 0, lastJobId: null }] });

    const sources = async (agent: string) =>
      (await body(api.get<List<Source>>(`${agent}/sources?limit=100`))).data;
    const [theirs, ours] = [await sources(at), await sources(own)];
    const facts = ({ title, sourceType, sourceMetadata }: Source) => ({ title, sourceType, sourceMetadata });
    t.same(ours.map(facts), theirs.map(facts), 'in the same order');
    for (const [n, { id: documentId, sourceType }] of ours.entries()) {
      t.not(documentId, theirs[n]?.id);
      const text = async (agent: string, one = '') =>
        (await body(api.get<{ text: string }>(`${agent}/sources/${one}/content`))).text;
      t.equal(await text(own, documentId), await text(at, theirs[n]?.id));
      if (sourceType === 'file_upload') {
        const file = await api.get(`${own}/sources/${documentId}/original`).catch(() => null);
        t.not(file, null, 'the original is kept');
      }
    }
    const hits = await body(api.post<List<object>>(`${own}/search`, { query: 'How do I reset the device?' }));
    t.ok(hits.data.length > 0, 'its sources are found');
    const [agents = 0, bytes = 0] = before;
    t.strictSame(await allowances(api), [agents + 1, 2 * bytes]);

    await body(api.delete(at));
    t.equal((await fetch(branding.profilePictureUrl)).status, 200, 'the original is not needed any more');
    await body(api.delete(own));
    await until('the release of all', async () => (await allowances(api)).every((used) => used === 0));
  });

  await t.test('by default a copy has no sources, and a name that tells what it is', async (t) => {
    const { api, at } = await original();
    await body(api.patch(at, { name: 'x'.repeat(255) }));
    const copy = await body(api.post<Copy>(`${at}/copy`));
    await completed(api, copy);
    const own = `/agents/${copy.agentId}`;
    t.equal((await body(api.get<Agent>(own))).name, `Copy of ${'x'.repeat(247)}`);
    t.equal((await body(api.get<List<Source>>(`${own}/sources`))).pagination.total, 0);
    const key = { headers: { 'idempotency-key': 'copy' } };
    const [first, again] = [
      await api.post<Copy>(`${at}/copy`, {}, key),
      await api.post<Copy>(`${at}/copy`, {}, key),
    ];
    t.strictSame(again.body, first.body);
    await completed(api, first.body);
    t.equal((await allowances(api))[0], 3);
    invalid(t, await api.post(`${at}/copy`, { name: '', sources: 'yes' }), 'name', 'sources');
  });

  await t.test('its job is found when it is completed during the request', async (t) => {
    const { api, at } = await original();
    const { copies } = service.store;
    const { find } = copies;
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const copy = await body(api.post<Copy>(`${at}/copy`));
    t.teardown(() => {
      open();
      copies.find = find;
    });
    copies.find = async (...of) => {
      open();
      await until('the new agent', async () => (await api.get(`/agents/${copy.agentId}`)).status === 200);
      return find(...of);
    };
    t.equal((await body(api.get<Job>(jobOf(copy)))).status, 'completed');
  });

  await t.test('until it is complete, only its jobs are found', async (t) => {
    const { api, at, workspaceId, id } = await original();
    const before = await allowances(api);
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    t.teardown(open);
    const copy = await body(api.post<Copy>(`${at}/copy`, { sources: true }));
    const own = `/agents/${copy.agentId}`;
    const [agents = 0, bytes = 0] = before;
    t.strictSame(await allowances(api), [agents + 1, 2 * bytes], 'reserved at once');
    for (const path of [
      '',
      '/settings/ai',
      '/sources',
      '/versions',
      '/train',
      '/conversations',
      '/pictures/x',
    ])
      refused(
        t,
        await api.get(own + path),
        404,
        path === '/pictures/x' ? 'RESOURCE_NOT_FOUND' : 'AGENT_NOT_FOUND',
      );
    refused(t, await api.post(`${own}/chat`, { message: 'Hi' }), 404, 'AGENT_NOT_FOUND');
    refused(t, await api.delete(own), 404, 'AGENT_NOT_FOUND');
    const { data } = await body(api.get<List<Agent>>('/agents'));
    t.strictSame(
      data.map((agent) => agent.id),
      [id],
    );
    t.match(await body(api.get(`${own}/jobs`)), {
      data: [{ id: copy.jobId, type: 'copy_agent' }],
      pagination: { total: 1 },
    });
    const stranger = await service.client();
    refused(t, await stranger.get(jobOf(copy)), 404, 'AGENT_NOT_FOUND');

    const cancel = (key: string) =>
      api.post<Job>(`${jobOf(copy)}/cancel`, undefined, { headers: { 'idempotency-key': key } });
    const cancelled = await body(cancel('cancel'));
    t.match(cancelled, { id: copy.jobId, status: 'cancelled' });
    refused(t, await api.get(jobOf(copy)), 404, 'AGENT_NOT_FOUND');
    t.strictSame(await body(cancel('cancel')), cancelled, 'a repetition gets the same response');
    refused(t, await cancel('another'), 404, 'AGENT_NOT_FOUND');
    refused(t, await cancel('\t'), 404, 'AGENT_NOT_FOUND');
    const other = await api.post(`${jobOf(copy)}0/cancel`, undefined, {
      headers: { 'idempotency-key': 'cancel' },
    });
    t.equal(other.status, 400, 'the key of another request');
    refused(
      t,
      await stranger.post(`${jobOf(copy)}/cancel`, undefined, { headers: { 'idempotency-key': 'cancel' } }),
      404,
      'AGENT_NOT_FOUND',
    );
    open();
    await until('the release', async () => String(await allowances(api)) === String(before));

    gate = new Promise((resolve) => {
      open = resolve;
    });
    const orphan = await body(api.post<Copy>(`${at}/copy`, { sources: true }));
    await body(api.delete(at));
    open();
    await gone(api, orphan);
    await until('the release', async () => String(await allowances(api)) === '0,0');
    t.ok(await service.store.workspaces.find(workspaceId));
  });

  await t.test('allowances and rights are checked first', async (t) => {
    const { api, at, id, workspaceId } = await original();
    const workspaces = service.store.workspaces;
    const [agents = 0, bytes = 0] = await allowances(api);
    const rights = { name: 'limited', scope: 'full', agentIds: [id] };
    const limited = await body(api.post<{ secret: string }>('/keys', rights));
    refused(t, await service.api(limited.secret).post(`${at}/copy`), 403, 'AUTH_INSUFFICIENT_PERMISSIONS');
    await updateWorkspace(workspaces, workspaceId, { set: { 'limits.agents': agents } });
    refused(t, await api.post(`${at}/copy`), 403, 'QUOTA_CHATBOT_LIMIT');
    await updateWorkspace(workspaces, workspaceId, {
      set: { 'limits.agents': agents + 1, 'limits.storageBytes': 2 * bytes - 1 },
    });
    refused(t, await api.post(`${at}/copy`, { sources: true }), 403, 'QUOTA_STORAGE_LIMIT');
    t.strictSame(await allowances(api), [agents, bytes]);
    await updateWorkspace(workspaces, workspaceId, { set: { 'limits.storageBytes': 2 * bytes } });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post<Copy>(`${at}/copy`, { sources: true })),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [202, 403, 403, 403, 403]);
    const copy = answers.find(({ status }) => status === 202)?.body;
    if (copy) await completed(api, copy);
    t.strictSame(await allowances(api), [agents + 1, 2 * bytes]);
  });

  await t.test('what the plan refuses is left out and named', async (t) => {
    const { api, at, workspaceId } = await original();
    await body(
      api.patch(`${at}/settings/ai`, { model: 'vendorB/familyB-opus-4-6', instructionsPrompt: 'Be brief.' }),
    );
    await body(api.patch(`${at}/settings/training`, { autoRetrainEnabled: true }));
    await body(api.patch(`${at}/settings/schedule`, { every: 5, unit: 'hours' }));
    await updateWorkspace(service.store.workspaces, workspaceId, {
      plan: 'starter',
      set: { 'limits.agents': 9 },
    });
    const copy = await body(api.post<Copy>(`${at}/copy`));
    const { leftOut } = await completed(api, copy);
    t.strictSame(leftOut?.toSorted(), [
      'ai.model',
      'schedule.every',
      'schedule.unit',
      'training.autoRetrainEnabled',
    ]);
    const { settings } = await body(api.get<Agent>(`/agents/${copy.agentId}`));
    t.strictSame(settings.ai, { instructionsPrompt: 'Be brief.' });
  });
});

/** Stores a page and a file as workers do. */
async function addPageAndFile(service: TestService, workspaceId: string, agentId: string): Promise<void> {
  const storagePath = `agents/${agentId}/${uuidv7()}.txt`;
  await service.storage.put(storagePath, Buffer.from('A warehouse.'));
  const now = Math.floor(Date.now() / 1000);
  const facts = { agentId, workspaceId, createdAt: now, updatedAt: now, lastCrawledAt: now };
  await service.store.turns.run(agentId, null, async (turn) => {
    await turn.workspace();
    await turn.documents.insert(
      {
        ...facts,
        ...{ id: uuidv7(), sourceType: 'web_crawl', title: 'Page', bytes: 11, url: PAGE_URL },
        ...{ storagePath: null, contentHash: 'page', metadata: PAGE },
      },
      contentUnder('Page', indexText('Open daily.')),
    );
    await turn.documents.insert(
      {
        ...facts,
        ...{ id: uuidv7(), sourceType: 'file_upload', title: 'a.txt', bytes: 12, url: null, storagePath },
        ...{ contentHash: 'file', metadata: FILE },
      },
      contentUnder('a.txt', indexText('A warehouse.')),
    );
    await turn.addStorage(23);
  });
}
