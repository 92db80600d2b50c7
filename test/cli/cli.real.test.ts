import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { openStore } from '../../adapters/sequelize/index.js';
import { hashApiKey } from '../../core/workspaces/api-key.js';
import { actors, said } from '../support/agents.js';
import { commandLine } from '../support/command-line.js';
import t from '../support/t.js';

/* Each command as a process of its own, on a data folder. */

const dataDir = mkdtempSync(join(tmpdir(), 'cadre-cli-'));
t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));

const on = (folder: string) => commandLine({ DATA_DIR: folder });
const run = (args: string[]) => on(dataDir).run(...args);
const json = <T>(args: string[], folder = dataDir) => on(folder).json<T>(...args);
const refused = (args: string[], folder = dataDir) => on(folder).refused(...args);

t.test('manages a workspace, its keys and its overrides', async (t) => {
  const made = await json<{ workspaceId: string; apiKey: string }>([
    'workspace',
    'create',
    '--name',
    'Acme',
    '--plan',
    'starter',
    '--set',
    'limits.agents=5',
  ]);
  t.same(Object.keys(made).sort(), ['apiKey', 'workspaceId']);
  const { workspaceId } = made;
  t.match(await json(['workspace', 'show', '--workspace', workspaceId]), {
    plan: 'starter',
    limits: { agents: 5, storageBytes: 1_048_576 },
    features: { apiAccess: true, autoRetrain: false },
  });
  const updated = ['workspace', 'update', '--workspace', workspaceId];
  t.match(
    await json([
      ...updated,
      '--plan',
      'business',
      '--set',
      'billingActive=false',
      '--set',
      'limits.agents=default',
    ]),
    {
      plan: 'business',
      overrides: { billingActive: false },
      features: { apiAccess: false, autoRetrain: true },
    },
  );
  const key = await json<{ keyId: string; apiKey: string }>([
    'key',
    'create',
    '--workspace',
    workspaceId,
    '--name',
    'ci',
  ]);
  const store = openStore({
    url: `sqlite:${join(dataDir, 'cadre.sqlite')}`,
    poolSize: 1,
    statementTimeoutMs: 5000,
  });
  t.teardown(() => store.close());
  const owner = () => store.workspaces.findByKeyHash(hashApiKey(key.apiKey));
  t.equal((await owner())?.workspace.id, workspaceId);
  t.match(await json(['key', 'revoke', '--workspace', workspaceId, '--key', key.keyId]), { revoked: true });
  t.equal(await owner(), null);
  const keys = await json<{ name: string; revokedAt: number | null }[]>([
    'key',
    'list',
    '--workspace',
    workspaceId,
  ]);
  t.same(
    keys.map(({ name, revokedAt }) => [name, revokedAt === null]),
    [
      ['first', true],
      ['ci', false],
    ],
  );
  const { out } = await run(['key', 'list', '--workspace', workspaceId, '--json']);
  t.notOk(out.includes(key.apiKey) || out.includes(hashApiKey(key.apiKey)), 'keys are shown once');
  t.match(await run(['workspace', 'list']), { code: 0, out: 'Acme' });
});

t.test('a key can be limited to a scope, to agents and in time', async (t) => {
  const { agentId, folder, workspaceId } = await actors(t);
  const key = (...args: string[]) => ['key', ...args, '--workspace', workspaceId];
  const limits = ['--scope', 'chat', '--agent', agentId.toUpperCase(), '--expires', '2030-01-01'];
  const { keyId, apiKey } = await json<{ keyId: string; apiKey: string }>(key('create', ...limits), folder);
  const [made] = await json<object[]>(key('list'), folder);
  t.match(made, {
    keyId,
    scope: 'chat',
    agentIds: [agentId],
    expiresAt: Date.parse('2030-01-01') / 1000,
    prefix: apiKey.slice(0, 8),
  });
  for (const [args, code] of [
    [['--scope', 'write'], 'USAGE'],
    [['--agent', uuidv7()], 'KEY_INVALID'],
    [['--agent', agentId, '--agent', agentId], 'KEY_INVALID'],
    [['--expires', 'tomorrow'], 'KEY_INVALID'],
    [['--expires', '1'], 'KEY_INVALID'],
  ] as const)
    t.match(await refused(key('create', ...args), folder), { code, message: /\w+.*\./ }, args.join(' '));
  t.equal((await json<object[]>(key('list'), folder)).length, 1);
});

t.test('an error is one document with exit code 1, and changes nothing', async (t) => {
  const before = await json<object[]>(['workspace', 'list']);
  const create = ['workspace', 'create', '--name', 'n', '--plan'];
  const cases: [string[], string][] = [
    [['nonsense'], 'USAGE'],
    [['workspace', 'create', '--name', 'n'], 'USAGE'],
    [[...create, 'no-such-plan'], 'PLAN_UNKNOWN'],
    [['workspace', 'create', '--name', ' ', '--plan', 'free'], 'NAME_INVALID'],
    [[...create, 'free', '--set', 'limits.agents=-1'], 'OVERRIDE_INVALID'],
    [[...create, 'free', '--set', 'billingActive=yes'], 'OVERRIDE_INVALID'],
    [[...create, 'free', '--set', 'limits.cheese=1'], 'OVERRIDE_INVALID'],
    [['workspace', 'show', '--workspace', uuidv7()], 'WORKSPACE_NOT_FOUND'],
    [['key', 'create', '--workspace', uuidv7()], 'WORKSPACE_NOT_FOUND'],
    [['jobs', 'show', '--job', '999'], 'JOB_NOT_FOUND'],
    [['jobs', 'show', 'x'], 'JOB_NOT_FOUND'],
    [['jobs', 'list', '--status', 'sleeping'], 'USAGE'],
  ];
  for (const [args, code] of cases)
    t.match(await refused(args), { code, message: /\w+.*\./ }, args.join(' '));
  t.same(await json(['workspace', 'list']), before);
});

t.test('jobs can be listed, shown, watched to their end and retried', async (t) => {
  const world = await actors(t);
  const { agents, agentId, sent, folder, store } = world;
  for (const page of ['good', 'bad']) {
    await agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${page}`, requestId: 'r' });
  }
  const [good, bad] = sent;
  if (!good || !bad) throw new Error('two tasks were expected');
  await agents.send(agentId, said.succeeded(good, 'text'));
  await agents.send(agentId, said.failed(bad, 'give-up'));
  const listed = await json<{ id: string; status: string }[]>(['jobs', 'list', '--agent', agentId], folder);
  t.match(listed, [
    { id: '2', status: 'failed' },
    { id: '1', status: 'completed' },
  ]);
  t.match(await json(['jobs', 'show', '2'], folder), { tasks: [{ lastError: { code: 'FETCH_FAILED' } }] });
  t.match(await json(['jobs', 'watch', '--job', '1'], folder), { status: 'completed' });
  t.equal(
    (await on(folder).run('jobs', 'watch', '--job', '2')).code,
    1,
    'a failed job is a failure of the command',
  );
  t.match(await refused(['jobs', 'retry', '--job', '1'], folder), { code: 'NOTHING_TO_RETRY' });
  const { jobIds } = await json<{ jobIds: string[] }>(['jobs', 'retry', '--job', '2'], folder);
  t.same(jobIds, ['3']);
  const waiting = await store.tasks.unpublished(Date.now() * 2, 10);
  t.match(
    waiting,
    [{ target: 'https://a.example/bad', attempts: 1 }],
    'a running server finds it in its outbox',
  );
});

t.test('every command has help', async (t) => {
  t.match(await run(['--help']), { code: 0, out: /workspace create --name Acme/ });
  t.match(await run(['workspace', 'update', '--help']), { code: 0, out: /limits\.agents/ });
  t.match(await run(['doctor']), { code: 0, out: /advice/ });
  t.match(await json(['migrate', '--status']), { pending: [] });
});
