import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type CommandAnswer, commandLine } from '../support/command-line.js';
import { loopbackServer } from '../support/loopback-server.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

/* File names, titles and answers of a service are written by others: commands must not print them as they are. */

const AGENT = '0b5f3f0e-7a4c-4c6c-9a53-2f1d3c6b7a10';
/** Clears the screen, begins a command of a CI system, turns the text around, and ends with half of a character. */
const HOSTILE = 'a\u001b[2J\u009b2J\r\n::error::b\u202ecod\u2028\ud800';

/** No character may move the cursor, and no line may be a command of a CI system. */
function isHarmless(t: Test, { out, err }: Pick<CommandAnswer, 'out' | 'err'>, what: string): void {
  const text = `${out}\n${err}`;
  t.notMatch(text, /[^\P{Cc}\n]|[\u2028\u202e]|\p{Cs}/u, `${what}: no control characters`);
  t.notMatch(text, /^\s*::/m, `${what}: no command`);
}

t.test('sync prints the names of files escaped', async (t) => {
  const service = await startTestService(t, { worker: {} });
  const { apiKey } = await service.workspace();
  const { id } = await service.api(apiKey).agent();
  const folder = tempFolder(t);
  const name = HOSTILE.replace('\ud800', '');
  writeFileSync(join(folder, `${name}.md`), '# Fine');
  writeFileSync(join(folder, `::error::${name}.pdf`), 'not a PDF file');
  writeFileSync(join(folder, `::warning::${name}.txt`), '');
  truncateSync(join(folder, `::warning::${name}.txt`), 60_000_000);
  const cli = commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey });
  const sync = (...args: string[]) => cli.run('sync', folder, '--agent', id, '--name', 'docs', ...args);

  const planned = await sync('--dry-run');
  isHarmless(t, planned, 'dry run');
  t.match(planned.out, 'a\\u001b[2J\\u009b2J\\r\\n::error::b\\u202ecod\\u2028.md');
  const synced = await sync();
  isHarmless(t, synced, 'sync');
  t.match(synced.out, /3 files|2 files/);
  t.match(synced.err, /^Not synced: ::error::a\\u001b\[2J.*\.pdf: /m);
  t.match(synced.err, /^Not synced: ::warning::a.*\.txt: it is larger than 52428800 bytes$/m);
  const json = await sync('--json');
  isHarmless(t, json, 'JSON');
  const { failures } = JSON.parse(json.out) as { failures: { path: string }[] };
  t.match(
    new Set(failures.map(({ path }) => path)),
    new Set([`::error::${name}.pdf`, `::warning::${name}.txt`]),
  );
});

t.test('what a service answers is printed escaped', async (t) => {
  const CADRE_URL = await loopbackServer(t, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    const details = { fieldErrors: { name: [HOSTILE] } };
    response.end(JSON.stringify({ error: { code: `X${HOSTILE}`, message: HOSTILE, details } }));
  });
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'a.md'), '# A');
  const questions = join(folder, 'questions.json');
  writeFileSync(questions, JSON.stringify([{ question: 'When?' }]));
  const cli = commandLine({ CADRE_URL, CADRE_API_KEY: 'key' });
  for (const args of [
    ['sync', folder, '--agent', AGENT, '--name', 'docs'],
    ['evaluate', questions, '--agent', AGENT],
    ['export', '--agent', AGENT, '--to', join(folder, 'agent.zip')],
  ])
    for (const more of [[], ['--json']]) {
      const answer = await cli.run(...args, ...more);
      t.equal(answer.code, 1);
      isHarmless(t, answer, [...args.slice(0, 1), ...more].join(' '));
      if (more.length > 0) t.match(JSON.parse(answer.out), { error: { message: `X${HOSTILE}` } });
    }
});

/** A pipe without a writer, and a link to an endless device. */
function traps(t: Test) {
  const folder = tempFolder(t);
  const at = (name: string) => join(folder, name);
  return {
    pipe(name: string): string {
      execFileSync('mkfifo', [at(name)]);
      return at(name);
    },
    endless(name: string): string {
      symlinkSync('/dev/zero', at(name));
      return at(name);
    },
    at,
    folder,
  };
}

t.test('sync refuses an ignore file that is a pipe, a link or too large', async (t) => {
  const cli = commandLine({ CADRE_URL: 'http://127.0.0.1:1', CADRE_API_KEY: 'key' });
  const refusal = (folder: string) => cli.refused('sync', folder, '--agent', AGENT, '--name', 'docs');
  const [piped, linked, large, harmless] = [traps(t), traps(t), traps(t), traps(t)];
  piped.pipe('.cadreignore');
  t.match(await refusal(piped.folder), {
    code: 'FILE_INVALID',
    message: /\.cadreignore: it is not a regular file/,
  });
  linked.endless('.cadreignore');
  t.match(await refusal(linked.folder), {
    code: 'FILE_INVALID',
    message: /\.cadreignore: it is a symbolic link/,
  });
  writeFileSync(large.at('.cadreignore'), '');
  truncateSync(large.at('.cadreignore'), 2 ** 40);
  t.match(await refusal(large.folder), { code: 'FILE_INVALID', message: /\.cadreignore: it is larger than/ });

  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const { id } = await service.api(apiKey).agent();
  harmless.pipe('pipe.md');
  harmless.endless('device.txt');
  mkdirSync(harmless.at('folder.md'));
  writeFileSync(harmless.at('huge.txt'), '');
  truncateSync(harmless.at('huge.txt'), 2 ** 40);
  writeFileSync(harmless.at('fine.md'), '# Fine');
  const { out } = await commandLine({ CADRE_URL: service.baseUrl, CADRE_API_KEY: apiKey }).run(
    ...['sync', harmless.folder, '--agent', id, '--name', 'docs', '--json'],
  );
  t.match(JSON.parse(out), { files: 1, added: 1, failures: [{ path: 'huge.txt', error: /larger than/ }] });
});

t.test('other commands read regular files of a limited size only', async (t) => {
  const { pipe, endless, at } = traps(t);
  const [fifo, device] = [pipe('pipe'), endless('device')];
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 2 ** 40);
  const cli = commandLine({ CADRE_URL: 'http://127.0.0.1:1', CADRE_API_KEY: 'key', DATA_DIR: tempFolder(t) });
  for (const file of [fifo, device, at('large')]) {
    t.match(await cli.refused('evaluate', file, '--agent', AGENT), { code: 'FILE_INVALID' }, file);
    for (const name of ['CONFIG_FILE', 'AMQP_URL_FILE'])
      t.match(await commandLine({ [name]: file }).refused('config'), { code: 'CONFIG_INVALID' }, file);
  }
  for (const file of [fifo, device]) {
    t.match(await cli.refused('import', file), { code: 'ARCHIVE_INVALID' }, file);
    t.match(await cli.refused('restore', '--from', file), { code: 'BACKUP_INVALID' }, file);
  }
});
