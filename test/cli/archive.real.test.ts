import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { sha256Of } from '../../cli/archive/manifest.js';
import { type ApiClient, body, type List, type Source, walk } from '../support/api-client.js';
import { commandLine } from '../support/command-line.js';
import { nodeArguments } from '../support/entry.js';
import { registration, uploadFiles } from '../support/files.js';
import { projectFolder } from '../support/project-folder.js';
import { onEachEngine, startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

interface Agent {
  id: string;
  name: string;
  settings: Record<string, unknown>;
}

await onEachEngine('an agent is copied to another workspace', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const from = await service.workspace();
  const api = service.api(from.apiKey);
  const { id } = await api.agent('Support');
  const at = `/agents/${id}`;
  await body(
    api.post(`${at}/sources/text`, { title: 'Hours', content: 'From nine  to five.\n', externalId: 'h' }),
  );
  await body(
    api.post(`${at}/sources/qna`, { title: 'Returns', questions: ['Can I?'], answer: 'Yes, you can.' }),
  );
  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: 'Be short.' }));
  await body(
    api.patch(`${at}/settings/design`, {
      title: 'Ask',
      primaryColor: '#ff0000',
      initialMessages: ['Hello'],
      prompts: ['When?'],
    }),
  );
  await body(
    api.post(`${at}/evaluation-questions`, { questions: [{ question: 'When?', answer: [['nine']] }] }),
  );
  const file = join(tempFolder(t), 'agent.zip');
  const cli = (CADRE_API_KEY: string) => commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY });
  t.match(await cli(from.apiKey).json('export', '--agent', id, '--to', file), { sources: 2 });
  t.notMatch(readFileSync(file).toString('latin1'), from.apiKey);
  t.equal((await cli(from.apiKey).refused('export', '--agent', id, '--to', file)).code, 'FILE_INVALID');

  const other = await service.workspace();
  const there = service.api(other.apiKey);
  const made = await cli(other.apiKey).json<{ agentId: string }>('import', file);
  t.match(made, { sources: 2, leftOut: [] });
  t.not(made.agentId, id);
  const copy = await body(there.get<Agent>(`/agents/${made.agentId}`));
  const original = await body(api.get<Agent>(at));
  t.equal(copy.name, 'Support');
  for (const key of ['ai', 'title', 'branding', 'conversation'])
    t.strictSame(copy.settings[key], original.settings[key], key);
  const contents = (sources: Source[]) =>
    sources.map(({ title, sourceType, sourceMetadata }) => {
      const { contentHash, externalId } = sourceMetadata as { contentHash: string; externalId?: string };
      return { title, sourceType, contentHash, externalId };
    });
  t.strictSame(
    contents(await walk<Source>(there, `/agents/${made.agentId}/sources`, 10)),
    contents(await walk<Source>(api, `${at}/sources`, 10)),
  );
  const kept = await body(there.get<List<object>>(`/agents/${made.agentId}/evaluation-questions`));
  t.match(kept.data, [{ question: { question: 'When?', answer: [['nine']] } }]);
});

t.test('questions that were kept in several requests are copied', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent('Expressions');
  const asked = (n: number) => ({
    question: `Question ${n}?`,
    answer: [Array.from({ length: 20 }, (_, m) => `/x${n}y${m}/`)],
  });
  // Together, these are more regular expressions than a request may hold.
  for (const first of [0, 60])
    await body(
      api.post(`/agents/${id}/evaluation-questions`, {
        questions: Array.from({ length: 60 }, (_, n) => asked(first + n)),
      }),
    );
  const file = join(tempFolder(t), 'agent.zip');
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  await cli.json('export', '--agent', id, '--to', file);
  const { agentId } = await cli.json<{ agentId: string }>('import', file);
  const questionsOf = async (agent: string) =>
    (await walk<{ question: { question: string } }>(api, `/agents/${agent}/evaluation-questions`, 100)).map(
      ({ question }) => question.question,
    );
  t.strictSame(await questionsOf(agentId), await questionsOf(id));
});

/** More than 256 KiB of text. */
const longText = (head: string) => `${head}\n\n${'A long line of a long file – with more.\n'.repeat(8_000)}`;

await onEachEngine('texts of more than 256 KiB are copied as files', async (t, engine) => {
  const service = await startTestService(t, { engine, worker: {} });
  const from = await service.workspace();
  const api = service.api(from.apiKey);
  const { id } = await api.agent('Long');
  const files = {
    'guide.md': longText('# Guide'),
    'rules.txt': longText('---\ntitle: Rules\n---'),
    // Its text still begins like front matter.
    'twice.md': longText('---\nlayout: first\n---\n---\nlayout: second\n---'),
  };
  const uploads = await uploadFiles(api, id, files);
  const { jobId } = await body(
    api.post<{ jobId: number }>(`/agents/${id}/sources/file`, registration(uploads)),
  );
  await until('the job', async () => {
    const { finishedAt } = await body(api.get<{ finishedAt: number | null }>(`/agents/${id}/jobs/${jobId}`));
    return finishedAt !== null;
  });
  const file = join(tempFolder(t), 'agent.zip');
  const cli = (CADRE_API_KEY: string) => commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY });
  t.match(await cli(from.apiKey).json('export', '--agent', id, '--to', file), { sources: 3 });

  const other = await service.workspace();
  const there = service.api(other.apiKey);
  const { agentId } = await cli(other.apiKey).json<{ agentId: string }>('import', file);
  const textsOf = async (api: ApiClient, id: string) =>
    Object.fromEntries(
      await Promise.all(
        (await walk<Source>(api, `/agents/${id}/sources`, 10)).map(async (source) => {
          const at = `/agents/${id}/sources/${source.id}/content`;
          return [source.title, sha256Of((await body(api.get<{ text: string }>(at))).text)] as const;
        }),
      ),
    );
  const { 'twice.md': twice, ...same } = await textsOf(api, id);
  t.strictSame(await textsOf(there, agentId), { ...same, 'twice.md.txt': twice });
});

t.test('an import says whether another one of the archive was killed', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent('Support');
  const content = 'Within 30 days.';
  for (let n = 0; n < 80; n += 1)
    await body(api.post(`/agents/${id}/sources/text`, { title: `${n}`, content }));
  const file = join(tempFolder(t), 'agent.zip');
  const env = { CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey };
  const cli = commandLine(env);
  await cli.json('export', '--agent', id, '--to', file);
  const child = spawn(process.execPath, [...nodeArguments('cli/main'), 'import', file], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  });
  const killed = await until('the new agent', async () => {
    const { data } = await body(api.get<List<Agent>>('/agents'));
    return data.find(({ name }) => name.startsWith('Import in progress'));
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.match(await cli.json('import', file), { sources: 80, unfinished: [killed.id] });
  const { code, err } = await cli.run('import', file);
  t.equal(code, 0);
  t.match(err, 'delete');
  await body(api.delete(`/agents/${killed.id}`));
  t.match(await cli.json('import', file), { unfinished: [] });
});

const text = 'Within 30 days.';
const source = {
  entry: 'sources/000001.txt',
  sha256: sha256Of(text),
  sourceType: 'text_snippet',
  title: 'Returns',
  url: null,
  questions: [],
  externalId: null,
};
const manifest = {
  format: 'cadre-agent',
  version: 1,
  agent: { name: 'Copy', url: null },
  settings: {},
  sources: [source],
  evaluationQuestions: [],
};

t.test('an export that fails leaves no file', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const { id } = await service.api(apiKey).agent();
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const to = join(tempFolder(t), 'agent.zip');
  const missing = '01890000-0000-7000-8000-000000000000';
  t.match((await cli.refused('export', '--agent', missing, '--to', to)).message, 'AGENT_NOT_FOUND');
  await cli.json('export', '--agent', id, '--to', to);
  t.equal((await cli.refused('export', '--agent', id, '--to', to)).code, 'FILE_INVALID', 'it exists');
  t.ok(existsSync(to), 'a file that was there stays');
});

t.test('a damaged or hostile archive is refused, and leaves no agent', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const folder = tempFolder(t);
  let files = 0;
  const refused = async (
    entries: Record<string, string | Buffer>,
    rename?: [string, string],
  ): Promise<string> => {
    files += 1;
    const file = join(folder, `${files}.zip`);
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
    zip.end();
    const parts: Buffer[] = [];
    for await (const part of zip.outputStream) parts.push(part as Buffer);
    let bytes = Buffer.concat(parts);
    if (rename) bytes = Buffer.from(bytes.toString('latin1').replaceAll(...rename), 'latin1');
    const to = createWriteStream(file);
    to.end(bytes);
    await finished(to);
    return (await cli.refused('import', file)).code;
  };
  const good = { 'manifest.json': JSON.stringify(manifest), [source.entry]: text };
  const bad = (changes: object) => ({
    ...good,
    'manifest.json': JSON.stringify({ ...manifest, ...changes }),
  });
  t.equal(await refused({ ...good, [source.entry]: 'Within 90 days.' }), 'ARCHIVE_INVALID', 'another hash');
  t.equal(await refused({ 'manifest.json': JSON.stringify(manifest) }), 'ARCHIVE_INVALID', 'a missing entry');
  t.equal(await refused({ ...good, 'other.txt': 'x' }), 'ARCHIVE_INVALID', 'an entry that is not listed');
  t.equal(
    await refused({ ...good, 'aa/bb/evil.txt': 'x' }, ['aa/bb/', '../../']),
    'ARCHIVE_INVALID',
    'zip slip',
  );
  t.equal(await refused({ [source.entry]: text }), 'ARCHIVE_INVALID', 'no manifest');
  t.equal(await refused(bad({ version: 2 })), 'ARCHIVE_INVALID', 'another version');
  t.equal(await refused(bad({ sources: [source, source] })), 'ARCHIVE_INVALID', 'listed twice');
  const bomb = Buffer.alloc(65 * 1024 * 1024);
  t.equal(await refused({ ...good, [source.entry]: bomb }), 'ARCHIVE_INVALID', 'a bomb');
  t.equal(await refused(bad({ evaluationQuestions: [{ question: '' }] })), 'API_REFUSED', 'in the middle');
  const { pagination } = await body(api.get<List<object>>('/agents'));
  t.equal(pagination.total, 0);
});
