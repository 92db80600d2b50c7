import { type Answer, body, type ErrorBody, invalid, type List, refused } from '../../support/api-client.js';
import { putBytes, registration, type SignedEntry, signUploads, uploadFiles } from '../../support/files.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);

async function fresh(options: Parameters<typeof service.workspace>[0] = {}, of = service) {
  const { id: workspaceId, apiKey } = await of.workspace(options);
  const api = of.api(apiKey);
  const agentId = (await api.agent()).id;
  const path = `/agents/${agentId}/sources/file`;
  return {
    api,
    agentId,
    sign: (files: unknown) => api.post(`${path}/upload-url`, { files }),
    register: (entries: unknown) =>
      api.post<{ jobId: number; fileCount: number } & ErrorBody>(path, { files: entries }),
    upload: (files: Record<string, string>) => uploadFiles(api, agentId, files),
    bytesUsed: async () => (await of.store.workspaces.find(workspaceId))?.storageBytes,
    jobs: async () => (await body(api.get<List<object>>(`/agents/${agentId}/jobs`))).pagination.total,
  };
}

const messages = (answer: Answer<ErrorBody>) => answer.body.error.details?.fieldErrors?.files ?? [];
const only = (entries: SignedEntry[]): SignedEntry => {
  const [entry] = entries;
  if (!entry) throw new Error('nothing was signed');
  return entry;
};

t.test('each file gets its own path and signed URL', async (t) => {
  const { api, agentId } = await fresh();
  const names = [
    'a.pdf',
    'B.TXT',
    'c d.md',
    'ü.Docx',
    'e.xlsx',
    'f.pptx',
    'a.pdf',
    '../../x.txt',
    'no extension.exe.txt',
    '.hidden.md',
  ];
  const entries = await signUploads(api, agentId, names);
  t.strictSame(
    entries.map(({ fileName }) => fileName),
    names,
  );
  for (const entry of entries) {
    t.strictSame(Object.keys(entry).sort(), ['fileName', 'storagePath', 'token', 'uploadUrl']);
    t.ok(entry.storagePath.includes(agentId), 'bound to the agent');
    t.ok(entry.uploadUrl.startsWith(service.baseUrl) && entry.uploadUrl.includes(entry.token));
  }
  t.equal(new Set(entries.map(({ storagePath }) => storagePath)).size, names.length);
});

t.test('names files that cannot be signed', async (t) => {
  const { api, agentId, sign } = await fresh();
  const names = [
    'a.exe',
    'a',
    '',
    ' ',
    '.txt',
    'a.txt.',
    'a.txt ',
    'a.doc',
    'txt',
    'a.pdf\n',
    `${'x'.repeat(252)}.txt`,
    null,
    5,
    ['a.txt'],
  ];
  for (const fileName of names) invalid(t, await sign([{ fileName: 'good.txt' }, { fileName }]), 'files');
  for (const files of [[], {}, null, 'a.txt', ['a.txt'], [null], [{}], [{ name: 'a.txt' }], undefined])
    invalid(t, await sign(files), 'files');
  invalid(t, await sign(Array(21).fill({ fileName: 'a.txt' })), 'files');
  t.equal((await signUploads(api, agentId, Array(20).fill('a.txt'))).length, 20);
  t.equal((await sign([{ fileName: `${'\u{1F600}'.repeat(251)}.txt` }])).status, 200);
  const answer = (await sign([{ fileName: 'a.txt' }, { fileName: 'b.exe' }])) as Answer<ErrorBody>;
  t.match(messages(answer), [/^files\[1\]\.fileName must end in/]);
});

t.test('sign, PUT with only Content-Type, register: creates a job and charges the bytes', async (t) => {
  const { api, agentId, upload, register, bytesUsed } = await fresh();
  const entries = await upload({ 'a.txt': 'twelve bytes', 'b.md': '# head' });
  t.equal(await bytesUsed(), 0);
  const answer = await register(registration(entries).files);
  t.equal(answer.status, 202, answer.text);
  t.strictSame(Object.keys(answer.body), ['jobId', 'fileCount']);
  t.ok(Number.isInteger(answer.body.jobId) && answer.body.jobId > 0);
  t.equal(answer.body.fileCount, 2);
  t.equal(await bytesUsed(), 18);
  const job = await body(api.get(`/agents/${agentId}/jobs/${answer.body.jobId}`));
  t.match(job, {
    id: `${answer.body.jobId}`,
    type: 'index_files',
    isRetrain: false,
    tasksCount: 2,
    tasks: [{ target: 'a.txt' }, { target: 'b.md' }],
  });
  await body(api.delete(`/agents/${agentId}`));
  t.equal(await bytesUsed(), 0, 'a deleted agent releases what its files had reserved');
});

await onEachEngine('a storage path is registered once, for its own agent, unmodified', async (t, engine) => {
  const { upload, register, api, jobs, bytesUsed } = await fresh({}, await startTestService(t, { engine }));
  const { storagePath, fileName } = only(await upload({ 'a.txt': 'text' }));
  const other = (await api.agent()).id;
  invalid(
    t,
    await api.post(`/agents/${other}/sources/file`, { files: [{ storagePath, fileName }] }),
    'files',
  );
  const altered = [
    `${storagePath} `,
    ` ${storagePath}`,
    `/${storagePath}`,
    `${storagePath}/`,
    storagePath.toUpperCase(),
    storagePath.slice(0, -1),
  ];
  const made = [
    `${storagePath}x`,
    './x',
    storagePath.replace('/', '//'),
    storagePath.replace('.txt', '.md'),
    `agents/${other}/x.txt`,
    '../x.txt',
    'ü',
    '%',
  ];
  for (const path of [...altered, ...made, storagePath.replace('agents/', 'agents/../agents/')]) {
    invalid(t, await register([{ storagePath: path, fileName }]), 'files');
  }
  invalid(t, await register([{ storagePath, fileName: 'other.txt' }]), 'files');
  invalid(
    t,
    await register([
      { storagePath, fileName },
      { storagePath, fileName },
    ]),
    'files',
  );
  t.equal(await jobs(), 0);
  const at = await Promise.all(Array.from({ length: 6 }, () => register([{ storagePath, fileName }])));
  t.equal(at.filter(({ status }) => status === 202).length, 1, 'six at once register it once');
  for (const answer of at.filter(({ status }) => status !== 202)) invalid(t, answer, 'files');
  invalid(t, await register([{ storagePath, fileName }]), 'files');
  t.equal(await jobs(), 1);
  t.equal(await bytesUsed(), 4);
});

t.test('all files must exist and have 1 to 52,428,800 bytes; otherwise none is registered', async (t) => {
  const { api, agentId, upload, register, jobs, bytesUsed } = await fresh();
  const good = only(await upload({ 'good.txt': 'text' }));
  const [missing, empty] = await signUploads(api, agentId, ['missing.txt', 'empty.txt']);
  await putBytes(empty?.uploadUrl ?? '', '');
  const answer = await register(registration([good, missing ?? good, empty ?? good]).files);
  invalid(t, answer, 'files');
  t.match(messages(answer), [/^missing\.txt: .*uploaded/, /^empty\.txt: .*empty/]);
  t.equal(await jobs(), 0);
  await putBytes(empty?.uploadUrl ?? '', 'not any more');
  t.equal((await register(registration([good, empty ?? good]).files)).status, 202);
  t.equal(await bytesUsed(), 16);
});

t.test('names the fields of invalid bodies', async (t) => {
  const { register } = await fresh();
  const file = { storagePath: 'x', fileName: 'a.txt' };
  for (const files of [
    [],
    null,
    {},
    [null],
    ['x'],
    [{ ...file, storagePath: 5 }],
    [{ storagePath: 'x' }],
    [{ fileName: 'a.txt' }],
    undefined,
  ]) {
    invalid(t, await register(files), 'files');
  }
  for (const changes of [
    { storagePath: '' },
    { fileName: 'a.exe' },
    { fileName: '' },
    { storagePath: 'x'.repeat(5000) },
  ]) {
    invalid(t, await register([{ ...file, ...changes }]), 'files');
  }
  invalid(
    t,
    await register(Array.from({ length: 21 }, (_, n) => ({ ...file, storagePath: `${n}` }))),
    'files',
  );
});

t.test('rejects files that do not fit, and registers them once there is space', async (t) => {
  const { api, agentId, upload, register, bytesUsed } = await fresh({ set: { 'limits.storageBytes': 10 } });
  const text = await body(
    api.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, { title: 't', content: '12345' }),
  );
  const entries = registration(await upload({ 'a.txt': '123', 'b.txt': '4567' })).files;
  refused(t, await register(entries), 403, 'QUOTA_STORAGE_LIMIT');
  t.equal(await bytesUsed(), 5);
  await body(api.delete(`/agents/${agentId}/sources/${text.documentId}`));
  t.equal((await register(entries)).status, 202);
  t.equal(await bytesUsed(), 7);
});
