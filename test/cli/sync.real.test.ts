import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { type ApiClient, body, type List, type Source, walk } from '../support/api-client.js';
import { startCli } from '../support/cli-process.js';
import { commandLine } from '../support/command-line.js';
import { onEachEngine, startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

interface Synced {
  files: number;
  unchanged: number;
  added: number;
  updated: number;
  moved: number;
  deleted: number;
  kept: number;
  failed: number;
  changes: { change: string; path: string }[];
  failures: { path: string; error: string }[];
}

const sourcesOf = async (api: ApiClient, id: string): Promise<Source[]> =>
  (await walk<Source>(api, `/agents/${id}/sources`, 100)).sort((a, b) => (a.title < b.title ? -1 : 1));

const titles = async (api: ApiClient, id: string): Promise<string[]> =>
  (await sourcesOf(api, id)).map(({ title }) => title);

await onEachEngine('keeps an agent equal to a folder', async (t, engine) => {
  const service = await startTestService(t, { engine, worker: {} });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  await body(api.post(`/agents/${id}/sources/text`, { title: 'By hand', content: 'Not of the folder.' }));
  const folder = join(tempFolder(t), 'docs');
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const sync = (...args: string[]) =>
    cli.json<Synced>('sync', folder, '--agent', id, '--name', 'docs', ...args);

  write('returns.md', '---\ntitle: Returns\n---\n# Ignored\nWithin 30 days.');
  write('guide/install.md', '# Installing\n\nPress the button.');
  write('guide/plain.txt', 'We are open from nine to five.');
  write('long.txt', 'A long line of a long file.\n'.repeat(12_000));
  write('empty.md', '');
  write('picture.png', 'no document');
  write('drafts/secret.md', '# Secret');
  write('.hidden/secret.md', '# Secret');
  write('.cadreignore', 'drafts/\n');
  symlinkSync('/etc/hostname', join(folder, 'link.txt'));

  const planned = await cli.run('sync', folder, '--agent', id, '--dry-run');
  t.equal(planned.code, 2, planned.err);
  t.match(planned.out, /CHANGE +PATH\n?/);
  t.match(planned.out, /add +guide\/install\.md/);
  t.strictSame(await titles(api, id), ['By hand'], 'a dry run changes nothing');

  t.match(await sync(), { files: 4, added: 4, failed: 0 });
  t.strictSame(await titles(api, id), ['By hand', 'Installing', 'Returns', 'long.txt', 'plain']);
  t.match(await sync(), { unchanged: 4, added: 0, updated: 0, changes: [] });
  const before = await sourcesOf(api, id);

  write('returns.md', '---\ntitle: Returns\n---\nWithin 60 days.');
  write('long.txt', 'Another line of a long file.\n'.repeat(12_000));
  renameSync(join(folder, 'guide/install.md'), join(folder, 'install.md'));
  rmSync(join(folder, 'guide/plain.txt'));
  t.match(await sync(), { updated: 2, moved: 1, added: 0, deleted: 0, kept: 1 });
  const after = await sourcesOf(api, id);
  t.strictSame(
    after.map(({ title }) => title),
    before.map(({ title }) => title),
    'a file that is gone keeps its source',
  );
  const idOf = (sources: Source[], title: string) => sources.find((source) => source.title === title)?.id;
  for (const title of ['Returns', 'Installing'])
    t.equal(idOf(after, title), idOf(before, title), `${title} is still the same source`);
  const { text } = await body(
    api.get<{ text: string }>(`/agents/${id}/sources/${idOf(after, 'Returns')}/content`),
  );
  t.match(text, 'Within 60 days.');
  t.match(await sync('--delete'), { unchanged: 3, deleted: 1 });
  t.strictSame(await titles(api, id), ['By hand', 'Installing', 'Returns', 'long.txt']);
  t.match(await sync('--delete', '--dry-run'), { changes: [] });

  const other = join(tempFolder(t), 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'returns.md'), '# Other returns\nNever.');
  t.match(await cli.json('sync', other, '--agent', id, '--name', 'other', '--delete'), {
    added: 1,
    deleted: 0,
  });
  t.match(await sync('--delete'), { unchanged: 3, deleted: 0 }, 'two folders do not touch each other');

  write('returns.md', '');
  t.match(await sync('--delete'), { deleted: 0 }, 'a file that is empty for a moment keeps its source');
  write('notes.txt', '---\ntitle: Notes\n---\nWe close at noon.');
  await sync();
  renameSync(join(folder, 'notes.txt'), join(folder, 'notes.md'));
  t.match(await sync(), { moved: 1 });
  const noted = idOf(await sourcesOf(api, id), 'Notes');
  const read = await body(api.get<{ text: string }>(`/agents/${id}/sources/${noted}/content`));
  t.equal(read.text.trim(), 'We close at noon.', 'it is read as Markdown now');
  write('caf\u00e9.md', '# Café\nOpen.');
  await sync();
  rmSync(join(folder, 'caf\u00e9.md'));
  write('cafe\u0301.md', '# Café\nClosed.');
  t.match(await sync(), { updated: 1, added: 0 }, 'another spelling of the same name');
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const emptied = await cli.refused('sync', folder, '--agent', id, '--name', 'docs', '--delete');
  t.match(emptied, { code: 'FILE_INVALID', message: '--allow-empty' });
  t.match(await sync('--delete', '--allow-empty'), { deleted: 5 });
});

t.test('a file that cannot be read fails alone, and a duplicate is removed', async (t) => {
  const service = await startTestService(t, { worker: {} });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'broken.pdf'), 'not a PDF file');
  writeFileSync(join(folder, 'good.md'), '# Good\nIt works.');
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const { code, out } = await cli.run('sync', folder, '--agent', id, '--json');
  t.equal(code, 1);
  t.match(JSON.parse(out), { added: 1, failed: 1, failures: [{ path: 'broken.pdf', error: /FILE_/ }] });
  t.strictSame(await titles(api, id), ['Good']);
  rmSync(join(folder, 'broken.pdf'));

  const [source] = await sourcesOf(api, id);
  const { externalId } = (source?.sourceMetadata ?? {}) as { externalId?: string };
  await body(api.post(`/agents/${id}/sources/text`, { title: 'Good', content: 'It works.', externalId }));
  t.match(await cli.json('sync', folder, '--agent', id), { unchanged: 1, deleted: 1 });
  t.strictSame(await titles(api, id), ['Good']);

  const refused = async (...args: string[]) => (await cli.refused('sync', ...args)).code;
  t.equal(await refused(join(folder, 'missing'), '--agent', id), 'FILE_INVALID');
  t.equal(await refused(folder, '--agent', id, '--name', 'a/b'), 'USAGE');
  t.equal(await refused(folder, '--agent', id, '--delete'), 'USAGE', 'a name must be given');
  t.equal(await refused(join(folder, '..', '文档'), '--agent', id), 'USAGE');
  t.equal(await refused(folder, '--agent', '01890000-0000-7000-8000-000000000000'), 'API_REFUSED');
});

t.test('a subfolder that cannot be read fails alone, and keeps its sources', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(join(folder, '\ufffd/below'), { recursive: true });
  writeFileSync(join(folder, '\ufffd/one.md'), '# One\nIt stays.');
  writeFileSync(join(folder, '\ufffd/below/two.md'), '# Two\nIt stays, too.');
  writeFileSync(join(folder, 'gone.md'), '# Gone');
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const sync = ['sync', folder, '--agent', id, '--name', 'docs'];
  t.match(await cli.json(...sync), { added: 3 });

  rmSync(join(folder, '\ufffd'), { recursive: true });
  rmSync(join(folder, 'gone.md'));
  writeFileSync(join(folder, 'new.md'), '# New');
  // A name that is not UTF-8 cannot be opened by its decoded spelling. Permissions would not help: root ignores them.
  const unreadable = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]);
  mkdirSync(unreadable);
  t.teardown(() => rmSync(unreadable, { recursive: true, force: true }));
  const { code, out } = await cli.run(...sync, '--delete', '--json');
  t.equal(code, 1);
  t.match(JSON.parse(out), {
    added: 1,
    deleted: 1,
    failed: 1,
    failures: [{ path: '\ufffd/', error: /ENOENT/ }],
  });
  t.strictSame(await titles(api, id), ['New', 'One', 'Two']);

  rmSync(unreadable, { recursive: true });
  t.match(await cli.json(...sync, '--delete'), { deleted: 2, failed: 0 });
});

t.test('.cadreignore matches names in any spelling of Unicode', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const { id } = await service.api(apiKey).agent();
  const folder = join(tempFolder(t), 'docs');
  for (const below of ['caf\u00e9', 'cre\u0300me']) {
    mkdirSync(join(folder, below), { recursive: true });
    writeFileSync(join(folder, below, 'secret.md'), '# Secret');
  }
  writeFileSync(join(folder, 'menu\u0301.md'), '# Secret');
  writeFileSync(join(folder, 'open.md'), '# Open');
  writeFileSync(join(folder, '.cadreignore'), 'cafe\u0301/\ncr\u00e8me/\nmen\u00fa.md\n');
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  t.match(await cli.json('sync', folder, '--agent', id), {
    files: 1,
    changes: [{ change: 'add', path: 'open.md' }],
  });
});

/** Ends a sync of 400 files with a signal after more than 20 of them. */
async function endedSync(
  t: Test,
  service: Awaited<ReturnType<typeof startTestService>>,
  signal: NodeJS.Signals,
) {
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  const count = 400;
  for (let n = 0; n < count; n += 1) writeFileSync(join(folder, `${n}.md`), `# Page ${n}\n\nText of ${n}.`);
  const total = async () =>
    (await body(api.get<List<Source>>(`/agents/${id}/sources?limit=1`))).pagination.total;
  const settings = { CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey };
  const running = startCli(t, settings, 'sync', folder, '--agent', id);
  await until('some sources', async () => (await total()) > 20);
  const code = await running.end(signal);
  const sync = () => commandLine(settings).json<Synced>('sync', folder, '--agent', id);
  return { code, output: running.output, count, made: await total(), sync, titles: () => titles(api, id) };
}

await onEachEngine('a sync that was killed is continued without a duplicate or a loss', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { count, made, sync, titles } = await endedSync(t, service, 'SIGKILL');
  t.ok(made < count, `${made} sources when it was killed`);
  t.match(await sync(), { files: count, failed: 0 });
  // A request that the killed process had sent may have ended after the list of sources was read.
  await sync();
  const sources = await titles();
  t.equal(sources.length, count);
  t.equal(new Set(sources).size, count);
  t.match(await sync(), { unchanged: count, changes: [] });
});

t.test('a sync that was interrupted says what is left, and the next one does it', async (t) => {
  const service = await startTestService(t);
  const { code, output, count, made, sync, titles } = await endedSync(t, service, 'SIGINT');
  t.equal(code, 130);
  t.match(output.out, `${made} added`, 'what was begun has ended');
  t.match(output.err, `Interrupted: ${count - made} changes are left.`);
  t.match(await sync(), { added: count - made, unchanged: made, failed: 0 });
  const sources = await titles();
  t.equal(sources.length, count);
  t.equal(new Set(sources).size, count);
});
