import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadSettings } from '../../config/load-settings.js';
import { prettyLine } from '../../processes/pretty-line.js';
import { readyText } from '../../processes/start-lines.js';
import { nodeArguments } from '../support/entry.js';
import { launchMain } from '../support/main-process.js';
import { projectFile, projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
  version: string;
};

t.test('the first log line states what starts, on what, and where its data is', async (t) => {
  const main = launchMain(t, { BOOTSTRAP_API_KEY: 'a-key-that-i-chose-myself' });
  await until('listening', () => main.output.stdout.includes('listening on'));
  const line = JSON.parse(main.output.stdout.split('\n')[0] ?? '') as Record<string, unknown>;
  t.match(line, {
    msg: 'starting Cadre',
    version,
    node: process.versions.node,
    roles: ['api', 'worker'],
    database: `SQLite, ${main.dataDir}/cadre.sqlite`,
    queue: 'local',
    storage: 'filesystem',
  });
  t.notMatch(main.output.stdout, 'a-key-that-i-chose-myself');
  main.child.kill('SIGTERM');
  await main.ended;

  const again = launchMain(t, { DATA_DIR: main.dataDir, BOOTSTRAP_API_KEY: 'a-key-that-nobody-knows' });
  await until('listening', () => again.output.stdout.includes('listening on'));
  t.match(
    again.output.stdout,
    /"level":40.*BOOTSTRAP_API_KEY is not a key of this database/,
    'a key that is not used is reported',
  );
  t.notMatch(main.output.stdout, 'BOOTSTRAP_API_KEY is not', 'one that is used is not');
});

t.test(
  'at a terminal, the start shows hosts, virtual host, addresses and the next step, without a password',
  async (t) => {
    const settings = loadSettings({
      env: {
        DATABASE_URL: 'mysql://cadre:s3cret@db.example/acme',
        AMQP_URL: 'amqp://cadre:s3cret@mq.example/crew',
      },
      cwd: '/srv',
    });
    const origin = 'http://127.0.0.1:3000';
    const text = readyText(settings, origin, { console: true, reference: true });
    t.match(text, `Cadre ${version} runs on Node ${process.versions.node}, as api and worker.`);
    t.match(text, 'MySQL at db.example:3306, database acme');
    t.match(text, 'rabbitmq at mq.example, virtual host "crew"');
    t.match(text, 'http://127.0.0.1:3000/openapi.json');
    t.match(text, 'http://127.0.0.1:3000/console');
    t.match(text, 'http://127.0.0.1:3000/docs');
    t.match(text, /Next: /);
    t.notMatch(text, 's3cret');

    const bare = readyText(settings, origin, { console: false, reference: false });
    t.notMatch(bare, /\/docs|console/, 'a page that is not there is not named, whatever the settings say');
    t.match(bare, 'http://127.0.0.1:3000/openapi.json');
  },
);

/** Runs a command at a terminal (util-linux). */
const noTerminal = spawnSync('script', ['--version']).status === 0 ? false : 'script is not installed';

t.test(
  'at a terminal, the first start shows two lines, and the next one the console',
  { skip: noTerminal },
  async (t) => {
    const dataDir = tempFolder(t);
    const start = async (): Promise<string> => {
      const child = spawn(
        'script',
        ['-qfec', [process.execPath, ...nodeArguments('main')].join(' '), '/dev/null'],
        {
          cwd: projectFolder,
          env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
        },
      );
      t.teardown(() => child.kill('SIGTERM'));
      let shown = '';
      child.stdout.on('data', (part: Buffer) => {
        shown += part.toString();
      });
      await until('the console', () => /\/console\S*\s/.test(shown));
      const origin = /listening on (\S+)/.exec(shown)?.[1];
      t.equal((await fetch(`${origin}/livez`)).status, 200);
      child.stdin.write('\u0003');
      await once(child, 'close');
      return shown.replaceAll('\r', '');
    };
    const first = await start();
    t.match(first, /\n {2}API key, shown only now:\n\n {4}cadre_\S+\n/);
    t.match(
      first,
      /\n {2}Console, by a link that works once within an hour:\n\n {4}http:\/\/\S+\/console\/setup#\S+\n/,
    );
    t.notMatch(first, / info /, 'what goes on is not shown');
    const second = await start();
    t.match(second, /\n {4}console +http:\/\/127\.0\.0\.1:\d+\/console\n/);
    t.notMatch(second, 'API key');
  },
);

t.test('log lines at a terminal are human-readable', async (t) => {
  const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
  const json = (fields: object) => `${JSON.stringify({ level: 30, time, process: 'api-x-1', ...fields })}\n`;
  t.equal(
    prettyLine(json({ msg: 'worker takes tasks', slots: 16 })),
    '03:04:05 info  worker takes tasks  slots=16\n',
  );
  t.equal(
    prettyLine(json({ msg: 'lost', err: { message: 'the broker\u001b[2J left', stack: 'long' } })),
    '03:04:05 info  lost  err="the broker\\u001b[2J left"\n',
    'an error is its message, and cannot clear the screen',
  );
  t.equal(prettyLine('listening on x\n'), 'listening on x\n');
});
