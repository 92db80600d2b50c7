import { newLink } from '../../core/people/links.js';
import { actors } from '../support/agents.js';
import { commandLine } from '../support/command-line.js';
import t from '../support/t.js';

interface Added {
  memberId: string;
  inviteUrl?: string;
}

t.test('adds people, but whoever has set up an account elsewhere must accept', async (t) => {
  const { store, folder, workspaceId, newWorkspace } = await actors(t);
  const cli = commandLine({ DATA_DIR: folder });
  const add = (workspace: string, email: string) =>
    cli.json<Added>(
      ...['user', 'add', '--workspace', workspace, '--email', email, '--role', 'owner', '--name', 'Ada'],
    );
  t.equal((await add(workspaceId, 'ada@acme.example')).inviteUrl, undefined);
  t.equal(await store.people.members.hasOwner(workspaceId), true);

  // Anybody may have used the link that a workspace was shown for this address.
  const { link } = newLink('setup', Date.now(), { workspaceId: await newWorkspace() });
  await store.people.users.addLink(link);
  const person = { email: 'grace@acme.example', name: 'Eve', password: 'a hash' };
  const ids = { userId: link.hash.slice(0, 36), memberId: link.hash.slice(1, 37) };
  const use = { hash: link.hash, purpose: 'setup', now: 1 } as const;
  t.match(await store.people.users.setUp(use, person, ids, null), { outcome: 'used' });
  const own = await newWorkspace();
  t.match((await add(own, person.email)).inviteUrl, /\/console\/invitation#[\w-]{43}$/);
  t.equal(await store.people.members.hasOwner(own), false);
});

t.test('neither disables nor deletes the last owner of any workspace', async (t) => {
  const { folder, workspaceId, newWorkspace } = await actors(t);
  const cli = commandLine({ DATA_DIR: folder });
  const second = await newWorkspace();
  const add = (workspace: string, email: string) =>
    cli.json(
      ...['user', 'add', '--workspace', workspace, '--email', email, '--role', 'owner', '--name', 'A'],
    );
  for (const workspace of [workspaceId, second]) await add(workspace, 'ada@acme.example');
  await add(workspaceId, 'grace@acme.example');
  for (const command of ['disable', 'delete'])
    t.match(await cli.refused('user', command, '--email', 'ada@acme.example'), { code: 'LAST_OWNER' });
  await add(second, 'grace@acme.example');
  await cli.json('user', 'disable', '--email', 'ada@acme.example');
  t.match(await cli.refused('user', 'delete', '--email', 'grace@acme.example'), { code: 'LAST_OWNER' });
  t.match(await cli.json('user', 'delete', '--email', 'ada@acme.example'), { deleted: true });
});

t.test('a person without a workspace is deleted with the last one', async (t) => {
  const { store, folder, workspaceId, newWorkspace } = await actors(t);
  const cli = commandLine({ DATA_DIR: folder });
  const second = await newWorkspace();
  const add = (workspace: string, email: string) =>
    cli.json(
      ...['user', 'add', '--workspace', workspace, '--email', email, '--role', 'viewer', '--name', 'A'],
    );
  for (const workspace of [workspaceId, second]) await add(workspace, 'ada@acme.example');
  await add(second, 'grace@acme.example');
  await cli.json('workspace', 'delete', '--workspace', second, '--yes');
  t.strictSame(
    (await store.people.users.list()).map(({ email }) => email),
    ['ada@acme.example'],
  );
  await cli.json('workspace', 'delete', '--workspace', workspaceId, '--yes');
  t.strictSame(await store.people.users.list(), []);
});

t.test('turns off a lost second factor, and lists failed sign-ins', async (t) => {
  const { store, folder, workspaceId } = await actors(t);
  const cli = commandLine({ DATA_DIR: folder });
  const email = 'ada@acme.example';
  await cli.json(
    ...['user', 'add', '--workspace', workspaceId, '--email', email, '--role', 'owner', '--name', 'Ada'],
  );
  const { users, secondFactors, signInCounts } = store.people;
  const { id = '' } = (await users.findByEmail(email)) ?? {};
  await secondFactors.offer(id, 'sealed');
  t.equal(await secondFactors.enrol(id, 'sealed', 1, ['a', 'b'], ''), true);
  t.match(await cli.json('user', 'list'), [{ email, twoFactor: true }]);
  t.match(await cli.json('user', 'reset-two-factor', '--email', email), { email, twoFactor: false });
  t.match(await cli.json('user', 'list'), [{ email, twoFactor: false }]);
  t.match(await cli.refused('user', 'reset-two-factor', '--email', 'x@acme.example'), {
    code: 'USER_NOT_FOUND',
  });

  for (const [userId, at] of [
    [id, 3_600_000],
    [id, 3_660_000],
    [null, 7_200_000],
  ] as const)
    await signInCounts.noteFailure(userId, '192.0.2.1', at);
  t.strictSame(await cli.json('user', 'failures'), [
    { hour: 7200, email: null, network: '192.0.2.1', failures: 1 },
    { hour: 3600, email, network: '192.0.2.1', failures: 2 },
  ]);
});
