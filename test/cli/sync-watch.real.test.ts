import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { watchFolder } from '../../cli/sync/watch.js';
import { type Source, walk } from '../support/api-client.js';
import { startCli } from '../support/cli-process.js';
import { openFaultyProxy } from '../support/faulty-proxy.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/** Watches a folder with one document for a new agent, through a proxy. */
async function watching(t: Test) {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  const write = (path: string, content: string) => writeFileSync(join(folder, path), content);
  write('a.md', '# First');
  const { hostname, port } = new URL(service.baseUrl);
  const proxy = await openFaultyProxy({ host: hostname, port: Number(port) });
  t.teardown(proxy.close);
  const settings = { CADRE_URL: proxy.through(service.baseUrl), CADRE_API_KEY: apiKey };
  const cli = startCli(t, settings, 'sync', folder, '--agent', id, '--name', 'docs', '--delete', '--watch');
  await until('the first sync', () => cli.output.out.includes('1 added'));
  const synced = (...expected: string[]) =>
    until(`the sources ${expected}`, async () => {
      const sources = await walk<Source>(api, `/agents/${id}/sources`, 100);
      return (
        sources
          .map(({ title }) => title)
          .sort()
          .join() === expected.join()
      );
    });
  return { folder, write, proxy, cli, synced };
}

t.test('--watch syncs after a change', async (t) => {
  const { write, cli, synced } = await watching(t);
  write('a.md', '# Second');
  await synced('Second');
  t.equal(await cli.end('SIGINT'), 0);
});

t.test('--watch sees the files of a new subfolder, and of one that was made again', async (t) => {
  const { folder, write, synced } = await watching(t);
  const below = join(folder, 'below');
  mkdirSync(below);
  write('below/b.md', '# Below');
  await synced('Below', 'First');
  write('below/b.md', '# Deeper');
  await synced('Deeper', 'First');
  rmSync(below, { recursive: true });
  mkdirSync(below);
  write('below/c.md', '# Again');
  await synced('Again', 'First');
  write('below/c.md', '# Another');
  await synced('Another', 'First');
});

t.test('--watch goes on after a round that failed', async (t) => {
  const { write, proxy, cli, synced } = await watching(t);
  proxy.refuse();
  proxy.cut();
  write('a.md', '# Second');
  await until('the failure', () => cli.output.err.includes('does not answer'));
  proxy.restore();
  write('b.md', '# Third');
  await synced('Second', 'Third');
  t.equal(await cli.end('SIGINT'), 0);
});

t.test('a folder that was deleted and made again is watched again', async (t) => {
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  const stopped = new AbortController();
  const failures: string[] = [];
  let rounds = 0;
  const watching = watchFolder(folder, {
    work: async () => {
      rounds += 1;
    },
    onFailure: ({ code }) => failures.push(code),
    signal: stopped.signal,
    againMs: 10,
  });
  rmSync(folder, { recursive: true });
  await until('a round without the folder', () => failures.length > 1);
  t.equal(failures[0], 'FILE_INVALID');
  t.equal(rounds, 1);
  mkdirSync(folder);
  await until('a round with the new folder', () => rounds === 2);
  writeFileSync(join(folder, 'a.md'), '# Again');
  await until('a round after the change', () => rounds === 3);
  stopped.abort();
  await watching;
});

t.test('--watch leaves out a subfolder that cannot be read', async (t) => {
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  // A name that is not UTF-8 cannot be opened by its decoded spelling.
  const unreadable = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]);
  mkdirSync(unreadable);
  const stopped = new AbortController();
  let rounds = 0;
  const watching = watchFolder(folder, {
    work: async () => {
      rounds += 1;
    },
    onFailure: ({ message }) => t.fail(message),
    signal: stopped.signal,
  });
  writeFileSync(join(folder, 'a.md'), '# Seen');
  await until('a round after the change', () => rounds === 2);
  stopped.abort();
  await watching;
});
