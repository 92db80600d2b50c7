import { commandLine } from '../support/command-line.js';
import { onEachEngine, startTestService } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';

const everything = { actor: null, action: null, agentId: null, from: null, to: null };

await onEachEngine(
  'each command that changes something leaves one row, by the command line',
  async (t, engine) => {
    const { store, databaseUrl, workspace } = await startTestService(t, { engine });
    const cli = commandLine({ DATA_DIR: tempFolder(t), DATABASE_URL: databaseUrl });
    const seen = new Map<string, number>();
    /** Returns the rows since the last call, oldest first. */
    const rows = async (workspace: string) => {
      const page = await store.audit.page(workspace, { limit: 100, before: null }, everything);
      const news = page.reverse().slice(seen.get(workspace) ?? 0);
      seen.set(workspace, page.length);
      for (const { actor } of news) t.match(actor, { type: 'cli', id: null, label: 'command line' });
      return news.map(({ action, target, changes }) => ({ action, target: target.label, changes }));
    };
    const actions = async (workspace: string) => (await rows(workspace)).map(({ action }) => action);

    const { workspaceId: id } = await cli.json<{ workspaceId: string }>(
      ...['workspace', 'create', '--name', 'Acme', '--plan', 'free'],
    );
    t.same(await actions(id), ['workspace.create', 'createKey']);
    const at = ['--workspace', id];
    const update = ['workspace', 'update', ...at, '--plan', 'starter', '--set', 'limits.agents=7'];
    await cli.json(...update);
    t.match(await rows(id), [
      {
        action: 'updateWorkspace',
        target: 'Acme',
        changes: {
          plan: { before: 'free', after: 'starter' },
          overrides: { after: '{"limits":{"agents":7}}' },
        },
      },
    ]);
    await cli.json(...update);
    t.same(await rows(id), [], 'a repetition changes nothing');

    const { keyId } = await cli.json<{ keyId: string }>('key', 'create', ...at, '--name', 'reports');
    for (let n = 0; n < 2; n += 1) await cli.json('key', 'revoke', ...at, '--key', keyId);
    t.match(await rows(id), [
      { action: 'createKey', target: 'reports', changes: { name: { after: 'reports' } } },
      { action: 'deleteKey', target: 'reports' },
    ]);

    const url = ['--url', 'https://hooks.acme.example/cadre?token=s3cret'];
    const { id: webhookId } = await cli.json<{ id: string }>('webhooks', 'create', ...at, ...url);
    const webhook = [...at, '--webhook', webhookId];
    for (const change of [['update', '--description', 'x'], ['rotate'], ['test'], ['list'], ['delete']])
      await cli.json('webhooks', ...change, ...(change[0] === 'list' ? at : webhook));
    const ofWebhooks = await rows(id);
    t.same(
      ofWebhooks.map(({ action }) => action),
      ['createWebhook', 'updateWebhook', 'rotateWebhookSecret', 'testWebhook', 'deleteWebhook'],
    );
    t.notMatch(JSON.stringify(ofWebhooks), /s3cret/);

    await cli.json('user', 'setup-link', ...at);
    t.same(await actions(id), ['user.setupLink']);
    const { id: other } = await workspace();
    const add = (workspace: string, email: string, role: string) =>
      cli.json('user', 'add', '--workspace', workspace, '--email', email, '--role', role, '--name', 'Ada');
    for (const workspace of [id, other]) await add(workspace, 'ada@acme.example', 'editor');
    t.match(await rows(id), [
      { action: 'inviteMember', target: 'Ada', changes: { role: { after: 'editor' } } },
    ]);
    await rows(other);
    for (const command of ['reset-link', 'reset-two-factor', 'disable', 'disable', 'delete'])
      await cli.json('user', command, '--email', 'ada@acme.example');
    const ofUser = ['user.resetLink', 'session.totp', 'user.disable', 'user.delete'];
    t.same(await actions(id), ofUser);
    const ofOther = await rows(other);
    t.same(
      ofOther.map(({ action }) => action),
      ofUser,
      'in each workspace of the user',
    );
    t.notMatch(JSON.stringify(ofOther), /Ada/, 'the name has left with the person');
    await cli.refused('user', 'delete', '--email', 'ada@acme.example');
    t.same(await rows(id), []);
  },
);
