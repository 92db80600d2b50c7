import { rotate } from '../../cli/commands/webhooks.js';
import { newWebhook } from '../../core/webhooks/webhook-changes.js';
import { openSecret } from '../../core/webhooks/webhook-secrets.js';
import { actors } from '../support/agents.js';
import { commandLine } from '../support/command-line.js';
import { testKeyring } from '../support/keyring.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

interface Webhook {
  id: string;
  url: string;
  secret?: string;
  enabled: boolean;
}

t.test('an operator creates, manages and deletes a webhook', async (t) => {
  const { json, refused } = commandLine({ DATA_DIR: tempFolder(t) });
  const { workspaceId } = await json<{ workspaceId: string }>(
    'workspace',
    'create',
    '--name',
    'Acme',
    '--plan',
    'business',
  );
  const of = ['--workspace', workspaceId];
  const made = await json<Webhook>(
    'webhooks',
    'create',
    ...of,
    '--url',
    'hooks.acme.com/x',
    '--event',
    'job.failed',
  );
  t.match(made, {
    url: 'https://hooks.acme.com/x',
    events: ['job.failed'],
    enabled: true,
    secret: /^whsec_/,
  });
  t.match(await refused('webhooks', 'create', ...of, '--url', 'http://10.0.0.1'), {
    code: 'WEBHOOK_INVALID',
  });
  const webhook = [...of, '--webhook', made.id];
  const message = await json<{ id: string }>('webhooks', 'test', ...webhook);
  t.match(await json('webhooks', 'deliveries', ...webhook), [
    { id: message.id, event: 'webhook.test', status: 'pending' },
  ]);
  t.match(await json('webhooks', 'update', ...webhook, '--disable'), { enabled: false });
  t.match(await refused('webhooks', 'redeliver', ...webhook, '--delivery', message.id), {
    code: 'WEBHOOK_INVALID',
  });
  t.not((await json<Webhook>('webhooks', 'rotate', ...webhook)).secret, made.secret);
  t.match(await refused('webhooks', 'rotate', ...webhook), { code: 'WEBHOOK_INVALID' });
  t.strictSame(await json('webhooks', 'delete', ...webhook), { deleted: true });
});

t.test('of two concurrent rotations the second is rejected, and the first secret stays', async (t) => {
  const { store, workspaceId } = await actors(t);
  const keyring = testKeyring;
  const { row: webhook } = newWebhook(
    workspaceId,
    { url: 'https://hooks.acme.com/x' },
    { keyring, now: 1000 },
  );
  await store.webhooks.create(webhook, 10);
  const { secret } = (await rotate({ store, keyring }, webhook, 1000)) as { secret: string };
  await t.rejects(rotate({ store, keyring }, webhook, 1000), {
    code: 'WEBHOOK_INVALID',
    message: /rotated less than a day ago/,
  });
  const kept = (await store.webhooks.find(workspaceId, webhook.id))?.secret ?? '';
  t.equal(openSecret(keyring, webhook.id, kept), secret);
  await store.webhooks.delete(workspaceId, webhook.id);
  await t.rejects(rotate({ store, keyring }, webhook, 1000), { code: 'WEBHOOK_NOT_FOUND' });
});
