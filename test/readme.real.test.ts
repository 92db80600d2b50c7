import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { projectFile } from './support/project-folder.js';
import { startServer } from './support/server-process.js';
import t from './support/t.js';
import { tempFolder } from './support/temp-folder.js';

const run = promisify(execFile);

/** The commands of the README, block by block, as they stand there. */
const blocks = [...readFileSync(projectFile('README.md'), 'utf8').matchAll(/```sh\n(.*?)\n```/gs)].map(
  ([, commands = '']) => commands,
);

const walk = blocks.find((commands) => commands.includes('$AGENT/chat')) ?? '';

const dataDir = tempFolder(t);
const server = await startServer({ dataDir, env: { BOOTSTRAP_API_KEY: '' } });
t.teardown(() => server.killAll());

/** Runs the walk-through on the server with this key. */
const walkWith = (key: string) =>
  run('bash', ['-c', walk.replaceAll('http://127.0.0.1:3000', server.baseUrl)], {
    env: { ...process.env, CADRE_API_KEY: key },
    timeout: 120_000,
  });

t.test(
  'the walk-through of the README leads from the printed key to an answer with its citation',
  async (t) => {
    const key = /^ {4}(\S{16,})$/m.exec(server.log())?.[1] ?? '';
    t.match(key, /\S{16,}/, 'the first start prints a key');
    const { stdout } = await walkWith(key);
    t.match(stdout, 'Our warehouse is in Rotterdam', 'what the agent learned is shown');
    const answer = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as {
      status: string;
      parts: { text: string }[];
      metadata: { citations: { title: string; quote: string }[] };
    };
    t.equal(answer.status, 'completed');
    t.match(answer.parts[0]?.text, 'Rotterdam');
    t.match(answer.metadata.citations, [{ title: 'warehouse.txt', quote: /Rotterdam/ }]);
  },
);

t.test('the walk-through stops at its first failure, and says why', async (t) => {
  const failed = await walkWith('not-a-key-of-anybody').then(
    () => null,
    (error: { code: number; stderr: string; stdout: string }) => error,
  );
  t.ok(failed?.code, 'it ends with a failure');
  t.match(failed?.stderr, /AUTH_INVALID_API_KEY: /);
  t.equal(failed?.stdout, '', 'nothing else was tried');
});
