import type { Command } from 'commander';
import { presentDelivery, presentWebhook } from '../../core/http/webhooks/webhooks.presenter.js';
import { seconds } from '../../core/ports/clock.port.js';
import { SecretChanged } from '../../core/ports/store/store-errors.js';
import type { DeliveryRow, WebhookRow } from '../../core/ports/store/webhooks.js';
import { limits } from '../../core/schemas/limits.js';
import { type WebhookEventType, webhookEventTypes } from '../../core/schemas/webhook-events.js';
import { createKeyring, type Keyring } from '../../core/secrets/keyring.js';
import { DELIVERY_MS } from '../../core/webhooks/attempts.js';
import { newDelivery } from '../../core/webhooks/new-delivery.js';
import {
  bothSignUntil,
  newWebhook,
  rotated,
  switched,
  testEvent,
  webhookUrl,
} from '../../core/webhooks/webhook-changes.js';
import { collect, idOf, workspaceOf } from '../arguments.js';
import { audited } from '../audited.js';
import { CliError } from '../cli-error.js';
import { type Installation, withInstallation } from '../installation.js';
import type { Output } from '../output.js';
import type { Speak } from '../speak.js';

const SHOWN = 100;

interface Options {
  workspace: string;
  webhook: string;
  delivery: string;
  url?: string;
  event: string[];
  description?: string;
  enable?: boolean;
  disable?: boolean;
}

type Work = (
  installation: Installation,
  webhook: WebhookRow,
  options: Options,
  now: number,
) => Promise<object>;

async function webhookOf({ store }: Installation, { workspace, webhook }: Options): Promise<WebhookRow> {
  const found = await store.webhooks.find(idOf(workspace), idOf(webhook));
  if (!found) throw new CliError('WEBHOOK_NOT_FOUND', `The workspace has no webhook "${webhook}".`);
  return found;
}

async function deliveryOf(
  { store }: Installation,
  { id }: WebhookRow,
  delivery: string,
): Promise<DeliveryRow> {
  const found = await store.webhooks.delivery(id, idOf(delivery));
  if (!found) throw new CliError('WEBHOOK_NOT_FOUND', `The webhook has no delivery "${delivery}".`);
  return found;
}

function urlOf({ settings }: Installation, url: string): string {
  const parsed = webhookUrl(url, settings.webhooks.allowPrivateAddresses);
  if (!parsed.ok) throw new CliError('WEBHOOK_INVALID', `The URL "${url}" ${parsed.reason}.`);
  return parsed.url;
}

function eventsOf(events: string[]): WebhookEventType[] | undefined {
  const unknown = events.find((event) => !(webhookEventTypes as readonly string[]).includes(event));
  if (unknown !== undefined)
    throw new CliError('WEBHOOK_INVALID', `There is no event "${unknown}": ${webhookEventTypes.join(', ')}.`);
  return events.length === 0 ? undefined : (events as WebhookEventType[]);
}

function assertEnabled({ enabled }: WebhookRow): void {
  if (!enabled)
    throw new CliError(
      'WEBHOOK_INVALID',
      'The webhook is disabled: enable it with webhooks update --enable.',
    );
}

async function create(installation: Installation, options: Options & { url: string }): Promise<object> {
  const { id } = await workspaceOf(installation, options.workspace);
  const now = seconds(installation.clock.now());
  const wanted = {
    url: urlOf(installation, options.url),
    events: eventsOf(options.event),
    description: options.description,
  };
  const { row, secret } = newWebhook(id, wanted, { keyring: await keyringOf(installation), now });
  const sent = { url: row.url, events: row.events, description: row.description, enabled: row.enabled };
  const created = await audited(installation, { action: 'createWebhook', workspaceId: id, sent }, () =>
    installation.store.webhooks.create(row, limits.webhooks.max),
  );
  if (!created)
    throw new CliError('WEBHOOK_INVALID', `A workspace has at most ${limits.webhooks.max} webhooks.`);
  return { ...presentWebhook(row, now), secret };
}

const keyringOf = async ({ settings, store }: Installation): Promise<Keyring> =>
  createKeyring({ ...settings.secrets, installation: await store.secret() });

const deletedMeanwhile = () => new CliError('WEBHOOK_NOT_FOUND', 'The webhook has been deleted.');

const update: Work = async (installation, { id, workspaceId }, options, now) => {
  const events = eventsOf(options.event);
  const patch = {
    ...(options.url === undefined ? {} : { url: urlOf(installation, options.url) }),
    ...(events ? { events } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.enable ? switched(true) : {}),
    ...(options.disable ? switched(false) : {}),
  };
  const row = await installation.store.webhooks.update(workspaceId, id, { now, ...patch });
  if (!row) throw deletedMeanwhile();
  return presentWebhook(row, now);
};

const rotatedBefore = (until: number): CliError =>
  new CliError(
    'WEBHOOK_INVALID',
    `The secret was rotated less than a day ago, and the previous secret still signs. Rotate it again after ${new Date(until * 1000).toISOString()}.`,
  );

/** Rotates the secret. `webhook` is the row as read before; a rotation based on an outdated row is rejected. */
export const rotate = async (
  { store, keyring }: { store: Pick<Installation['store'], 'webhooks'>; keyring: Pick<Keyring, 'seal'> },
  webhook: WebhookRow,
  now: number,
): Promise<object> => {
  const until = bothSignUntil(webhook, now);
  if (until !== null) throw rotatedBefore(until);
  const { patch, secret } = rotated(webhook, { keyring, now });
  const change = { now, secretBefore: webhook.secret, ...patch };
  const after = await store.webhooks
    .update(webhook.workspaceId, webhook.id, change)
    .catch((error: unknown) => {
      if (error instanceof SecretChanged) throw rotatedBefore(patch.previousUntil);
      throw error;
    });
  if (!after) throw deletedMeanwhile();
  return { ...presentWebhook({ ...webhook, ...patch }, now), secret };
};

const sendTest: Work = async ({ store }, webhook, _, now) => {
  assertEnabled(webhook);
  const delivery = newDelivery(webhook, testEvent(webhook.id, now));
  const added = await store.webhooks.addDelivery(delivery, undefined, limits.webhooks.openTests);
  if (added === 'off') throw new CliError('WEBHOOK_NOT_FOUND', 'The webhook has been deleted or disabled.');
  if (added === 'full')
    throw new CliError(
      'WEBHOOK_INVALID',
      `${limits.webhooks.openTests} test messages of this webhook are pending: wait until one has ended.`,
    );
  return presentDelivery(delivery);
};

const redeliver: Work = async (installation, webhook, { delivery: named }) => {
  assertEnabled(webhook);
  const nowMs = installation.clock.now();
  const delivery = await deliveryOf(installation, webhook, named);
  const patch = { dueAtMs: nowMs, expiresAtMs: nowMs + DELIVERY_MS };
  await installation.store.webhooks.sendAgain(delivery, patch);
  return presentDelivery(await deliveryOf(installation, webhook, named));
};

const remove: Work = async ({ store }, { workspaceId, id }) => {
  await store.webhooks.delete(workspaceId, id);
  return { deleted: true };
};

export function addTo(program: Command, speak: Speak): void {
  const webhooks = program.command('webhooks').description('webhooks: URLs that are notified of events');

  const command = (name: string, description: string, example: string): Command =>
    webhooks
      .command(name)
      .description(description)
      .requiredOption('--workspace <id>', 'id of the workspace')
      .addHelpText('after', `\nExample: webhooks ${example}`);
  const changes = (of: Command): Command =>
    of
      .option('--event <type>', `one of ${webhookEventTypes.join(', ')}; may be repeated`, collect, [])
      .option('--description <text>', 'a description');
  const answering =
    (work: (installation: Installation, options: Options, out: Output) => Promise<object>) =>
    (options: Options, of: Command) =>
      speak(of, (out) =>
        withInstallation(async (installation) => out.result(await work(installation, options, out))),
      );
  /** Wraps a command that works on one webhook. */
  const about = (of: Command, work: Work, action?: string): Command =>
    of.requiredOption('--webhook <id>', 'id of the webhook, from `webhooks list`').action(
      answering(async (installation, options) => {
        const webhook = await webhookOf(installation, options);
        const run = () => work(installation, webhook, options, seconds(installation.clock.now()));
        const { workspaceId } = webhook;
        return action === undefined ? run() : audited(installation, { action, workspaceId }, run);
      }),
    );

  command('list', 'list the webhooks of a workspace', 'list --workspace ID').action(
    answering(async (installation, options) => {
      const { id } = await workspaceOf(installation, options.workspace);
      const now = seconds(installation.clock.now());
      return (await installation.store.webhooks.list(id)).map((row) => presentWebhook(row, now));
    }),
  );
  changes(
    command(
      'create',
      'create a webhook; the secret is shown only once',
      'create --workspace ID --url https://hooks.acme.com/cadre --event job.failed',
    ),
  )
    .requiredOption('--url <url>', 'where messages are sent')
    .action(answering((installation, options) => create(installation, options as Options & { url: string })));
  about(
    changes(
      command('update', 'change, enable or disable a webhook', 'update --workspace ID --webhook ID --enable'),
    )
      .option('--url <url>', 'where messages are sent')
      .option('--enable', 'enable it')
      .option('--disable', 'disable it, and cancel its waiting messages'),
    update,
    'updateWebhook',
  );
  about(
    command(
      'rotate',
      'rotate the secret; the old one stays valid for 24 hours',
      'rotate --workspace ID --webhook ID',
    ),
    async (installation, webhook, _, now) =>
      rotate({ store: installation.store, keyring: await keyringOf(installation) }, webhook, now),
    'rotateWebhookSecret',
  );
  about(command('test', 'send a test message', 'test --workspace ID --webhook ID'), sendTest, 'testWebhook');
  about(
    command(
      'deliveries',
      `list the newest ${SHOWN} messages with their results`,
      'deliveries --workspace ID --webhook ID',
    ),
    async ({ store }, { id }) =>
      (await store.webhooks.deliveries(id, { limit: SHOWN - 1, before: null }, null)).map(presentDelivery),
  );
  about(
    command(
      'redeliver',
      'send a message again with the same id',
      'redeliver --workspace ID --webhook ID --delivery ID',
    ).requiredOption('--delivery <id>', 'id of the delivery, from `webhooks deliveries`'),
    redeliver,
    'redeliverWebhook',
  );
  about(
    command('delete', 'delete a webhook and its waiting messages', 'delete --workspace ID --webhook ID'),
    remove,
    'deleteWebhook',
  );
}
