import { actors } from '../support/agents.js';
import { commandLine } from '../support/command-line.js';
import t from '../support/t.js';
import { addKey } from '../support/workspace.js';

t.test('deletes a workspace with all its data, and no other workspace', async (t) => {
  const world = await actors(t);
  const { agents, agentId, workspaceId, store, folder } = world;
  const cli = commandLine({ DATA_DIR: folder, CADRE_AUTH_CACHE_TTL_SECONDS: '0' });
  const neighbour = await cli.json<{ workspaceId: string }>(
    ...['workspace', 'create', '--name', 'Neighbour', '--plan', 'free'],
  );
  const { apiKey } = await addKey(store.workspaces, workspaceId);
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/page', requestId: 'r' });

  const copying = { kind: 'copyAgent', name: null, isWithSources: true, requestId: 'r' } as const;
  const { agentId: copyId } = await agents.send(agentId, copying);

  t.match(await cli.refused('workspace', 'delete', '--workspace', workspaceId), {
    code: 'USAGE',
    message: /has 2 agents and 0 bytes\. Add --yes/,
  });
  t.ok(await store.workspaces.find(workspaceId), 'only shown');

  t.match(await cli.json('workspace', 'delete', '--workspace', workspaceId, '--yes'), {
    workspaceId,
    deleted: true,
    agents: 1,
    keys: 1,
  });
  t.equal(await store.workspaces.find(workspaceId), null);
  t.equal(await store.operations.agent(agentId), null);
  t.same(await store.operations.jobs({ workspaceId }, { limit: 10, before: null }), []);
  t.same(await store.workspaces.keys(workspaceId), []);
  t.same(await store.remains.list(0, 10), []);
  const again = await store.remains.list(Number.MAX_SAFE_INTEGER, 10);
  t.ok(
    again.some((one) => one.agentId === copyId),
    'rows of a copy in progress are deleted, too',
  );
  t.ok(apiKey);
  t.same(
    (await store.workspaces.list()).map(({ id }) => id),
    [neighbour.workspaceId],
  );
  t.equal((await store.workspaces.keys(neighbour.workspaceId)).length, 1);
  t.match(await cli.refused('workspace', 'delete', '--workspace', workspaceId, '--yes'), {
    code: 'WORKSPACE_NOT_FOUND',
  });
});

t.test('lists plans with their limits', async (t) => {
  const cli = commandLine({});
  const plans = await cli.json<{ name: string; limits: object; features: object }[]>('plans', 'list');
  t.match(
    plans.find(({ name }) => name === 'starter'),
    { limits: { agents: 2, storageBytes: 1_048_576 }, features: { apiAccess: true, autoRetrain: false } },
  );
  t.match((await cli.run('plans', 'list')).out, /business +10000 .* all$/m);
});

t.test('shows the progress of a deletion, and only the document with --json', async (t) => {
  const world = await actors(t);
  const cli = commandLine({ DATA_DIR: world.folder, CADRE_AUTH_CACHE_TTL_SECONDS: '0' });
  for (const isJson of [false, true]) {
    const workspaceId = await world.newWorkspace();
    for (let n = 0; n < 3; n += 1) {
      const agentId = await world.newAgent(workspaceId);
      await world.agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${n}`, requestId: 'r' });
    }
    const args = ['workspace', 'delete', '--workspace', workspaceId, '--yes', ...(isJson ? ['--json'] : [])];
    const { code, out, err } = await cli.run(...args);
    t.equal(code, 0, err);
    if (isJson) {
      t.match(JSON.parse(out), { deleted: true, agents: 3 });
      t.equal(err, '');
    } else t.match(err, /^1 of 3 agents and 0 rows of their data are deleted\.$/m);
  }
});
