import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../support/command-line.js';
import { nodeArguments } from '../support/entry.js';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

/* The command as a new user meets it. */

const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  version: string;
};

t.test('a typing error is one line, with a suggestion and a hint', async (t) => {
  const { run } = commandLine({ DATA_DIR: tempFolder(t) });
  const { code, out, err } = await run('job', 'list');
  t.equal(code, 1);
  t.equal(out, '');
  t.match(err, /^error: unknown command 'job'\n\(Did you mean jobs\?\)\n\s*See `npx cadre --help`\.\n$/);
  t.match(await run('jobs', 'list', '--stat', 'failed'), { code: 1, err: /--stat.*--status/s });
});

t.test('each command that the help lists has its own help', async (t) => {
  const { run } = commandLine({});
  const [, list = ''] = /\nCommands:\n(.*?)\n\n/s.exec((await run('--help')).out) ?? [];
  const names = [...list.matchAll(/^ {2}(?!help)([a-z][a-z-]*)/gm)].flatMap(([, name]) => name ?? []);
  t.ok(names.length > 20, 'all are listed');
  for (const name of names) t.match(await run(name, '--help'), { code: 0, out: `Usage: cadre ${name} ` });
});

t.test('--version', async (t) => {
  const { run } = commandLine({});
  t.same(await run('--version'), { code: 0, out: `${version}\n`, err: '' });
  t.same(JSON.parse((await run('--version', '--json')).out), { version });
});

t.test('a reading command creates no database: a mistyped DATA_DIR is an error', async (t) => {
  const folder = join(tempFolder(t), 'mistyped');
  const { refused } = commandLine({ DATA_DIR: folder });
  for (const command of [
    ['workspace', 'list'],
    ['jobs', 'list'],
    ['migrate', '--status'],
  ])
    t.match(await refused(...command), { code: 'DATABASE_MISSING', message: /mistyped.*DATA_DIR/ });
  t.notOk(existsSync(folder), 'nothing was made');
});

const noProc = existsSync('/proc/self') ? false : 'there is no /proc';
t.test('a DATA_DIR that cannot be created ends the command at once', { skip: noProc }, async (t) => {
  const { refused } = commandLine({ DATA_DIR: '/proc/cadre/data' });
  const create = ['workspace', 'create', '--name', 'Acme', '--plan', 'free'];
  t.match(await refused(...create), {
    code: 'DATABASE_UNAVAILABLE',
    message: /\/proc\/cadre\/data cannot be created \(ENOENT\)\. Set DATA_DIR to another folder\.$/,
  });
});

t.test('`cadre start` runs the service until SIGTERM', async (t) => {
  const child = spawn(process.execPath, [...nodeArguments('cli/main'), 'start'], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: tempFolder(t) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data;
  });
  const [, origin] = await until('listening', () => /listening on (\S+)/.exec(said));
  t.equal((await fetch(`${origin}/livez`)).status, 200);
  t.match(await (await fetch(`${origin}/metrics`)).text(), `build_info{version="${version}",node="`);
  child.kill('SIGTERM');
  t.same(await once(child, 'exit'), [0, null]);
});

t.test('Tab completes commands and options in bash', async (t) => {
  const { run } = commandLine({});
  const { out: script } = await run('completion', 'bash');
  const completed = (...words: string[]): string[] => {
    const given = words.map((word) => `'${word}'`).join(' ');
    const line = `${script}\nCOMP_WORDS=(cadre ${given}); COMP_CWORD=${words.length}; _cadre; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split(' ');
  };
  t.same(completed('work'), ['workspace']);
  t.same(completed('jobs', 'wa'), ['watch']);
  t.same(completed('workspace', 'update', '--p'), ['--plan']);
  t.same(completed('workspace', '--json', 'update', '--workspace', 'x', '--pl'), ['--plan']);
  t.same(completed('completion', ''), ['bash', 'zsh', '--json', '--help']);
  t.match(await run('completion', 'tcsh'), { code: 1, err: /bash, zsh/ });
});
