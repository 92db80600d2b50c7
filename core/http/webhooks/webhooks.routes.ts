import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import { SecretChanged } from '../../ports/store/store-errors.js';
import type { WebhookRow } from '../../ports/store/webhooks.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { DELIVERY_MS } from '../../webhooks/attempts.js';
import { newDelivery } from '../../webhooks/new-delivery.js';
import {
  bothSignUntil,
  newWebhook,
  rotated,
  switched,
  testEvent,
  webhookUrl,
} from '../../webhooks/webhook-changes.js';
import { sealResponse, storedResponse } from '../pipeline/idempotency.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { accepted, created, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presentDelivery, presentWebhook } from './webhooks.presenter.js';
import {
  createWebhookBody,
  deliveryListSchema,
  deliverySchema,
  listDeliveriesQuery,
  listWebhooksQuery,
  patchWebhookBody,
  webhookListSchema,
  webhookSchema,
  webhookWithSecret,
} from './webhooks.schema.js';

const webhookIdOf = uuidIn('webhookId');
const deliveryIdOf = uuidIn('deliveryId');

const webhookOf = async ({ webhooks }: Services, workspaceId: string, params: Record<string, string>) =>
  existing(await webhooks.find(workspaceId, webhookIdOf(params)), 'RESOURCE_NOT_FOUND');

const deliveryOf = async ({ webhooks }: Services, { id }: WebhookRow, params: Record<string, string>) =>
  existing(await webhooks.delivery(id, deliveryIdOf(params)), 'RESOURCE_NOT_FOUND');

const problems = {
  url(text: string, { allowPrivateWebhooks }: Services): string | null {
    const parsed = webhookUrl(text, allowPrivateWebhooks);
    return parsed.ok ? null : parsed.reason;
  },
};

/** Normalises a valid URL. */
function normalised(text: string, { allowPrivateWebhooks }: Services): string {
  const parsed = webhookUrl(text, allowPrivateWebhooks);
  if (!parsed.ok) throw invalidField('url', parsed.reason);
  return parsed.url;
}

const extension = { extension: true, scope: 'workspace', permission: 'webhooks.manage' } as const;

export const webhookRoutes: Route[] = [
  route({
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    ...extension,
    summary: 'List the webhooks of the workspace, newest first',
    description: `At most ${limits.webhooks.max}, disabled ones included. Secrets are not shown.`,
    query: listWebhooksQuery,
    list: ({ caller }) => `webhooks/${caller.workspaceId}`,
    responses: { 200: webhookListSchema },
    async handle({ caller, query, list }, { webhooks, cursors, clock }) {
      const request = cursors.request(list, query);
      const all = await webhooks.list(caller.workspaceId);
      const rows = all.filter(({ id }) => request.before === null || id < request.before);
      const now = seconds(clock.now());
      return ok(cursors.page(list, request, rows, all.length, (row) => presentWebhook(row, now)));
    },
  }),
  route({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    ...extension,
    summary: 'Create a webhook, which receives signed events (Standard Webhooks)',
    description:
      'From now on, events are sent to the URL. Store the `secret` of the response, which is shown only once: your service needs it to verify messages. Then send a test message with `testWebhook`.',
    body: createWebhookBody,
    problems,
    idempotent: 'withIt',
    responses: { 201: webhookWithSecret },
    async handle({ caller, body, idempotency }, services) {
      const now = seconds(services.clock.now());
      const { keyring } = services;
      const wanted = { ...body, url: normalised(body.url, services) };
      const { row, secret } = newWebhook(caller.workspaceId, wanted, { keyring, now });
      const response = created({ ...presentWebhook(row, now), secret });
      const keep = storedResponse(idempotency, sealResponse(keyring, caller.workspaceId, response), now);
      const isMade = await services.webhooks.create(row, limits.webhooks.max, keep);
      if (!isMade)
        throw invalidField(
          'url',
          `would be one more than the ${limits.webhooks.max} webhooks of a workspace: delete a webhook first`,
        );
      return response;
    },
  }),
  route({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:webhookId',
    ...extension,
    summary: 'Read a webhook',
    description:
      'Shows whether the webhook is enabled, and since when messages have failed. `listWebhookDeliveries` lists the messages.',
    params: webhookIdOf,
    responses: { 200: webhookSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params }, services) {
      const row = await webhookOf(services, caller.workspaceId, params);
      return ok(presentWebhook(row, seconds(services.clock.now())));
    },
  }),
  route({
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/webhooks/:webhookId',
    ...extension,
    summary: 'Change, enable or disable a webhook',
    description:
      'Omitted fields stay as they are. Disabling a webhook discards its pending messages. When it is enabled again, it receives later events only.',
    params: webhookIdOf,
    body: patchWebhookBody,
    problems,
    responses: { 200: webhookSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params, body }, services) {
      const now = seconds(services.clock.now());
      const { enabled, url, ...rest } = body;
      const patch = {
        ...rest,
        ...(url === undefined ? {} : { url: normalised(url, services) }),
        ...(enabled === undefined ? {} : switched(enabled)),
      };
      const row = await services.webhooks.update(caller.workspaceId, webhookIdOf(params), { now, ...patch });
      return ok(presentWebhook(existing(row, 'RESOURCE_NOT_FOUND'), now));
    },
  }),
  route({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:webhookId',
    ...extension,
    summary: 'Delete a webhook with its pending messages',
    description:
      'The log of deliveries is deleted, too. To pause a webhook, disable it with `updateWebhook`.',
    params: webhookIdOf,
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params }, { webhooks }) {
      if (!(await webhooks.delete(caller.workspaceId, webhookIdOf(params))))
        throw new ApiError('RESOURCE_NOT_FOUND');
      return ok({ deleted: true });
    },
  }),
  route({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/:webhookId/rotate',
    ...extension,
    summary: 'Rotate the secret; the old one stays valid for 24 hours',
    description:
      'For 24 hours, messages are signed with both secrets, so that you have time to switch. Another rotation in that time is refused (400). The new `secret` is shown only once.',
    params: webhookIdOf,
    idempotent: 'withIt',
    responses: { 200: webhookWithSecret },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params, idempotency }, services) {
      const now = seconds(services.clock.now());
      const before = await webhookOf(services, caller.workspaceId, params);
      const until = bothSignUntil(before, now);
      if (until !== null) throw rotatedBefore(until);
      const { keyring } = services;
      const { patch, secret } = rotated(before, { keyring, now });
      const response = ok({ ...presentWebhook({ ...before, ...patch }, now), secret });
      const keep = storedResponse(idempotency, sealResponse(keyring, caller.workspaceId, response), now);
      const change = { now, secretBefore: before.secret, ...patch };
      const after = await services.webhooks
        .update(caller.workspaceId, before.id, change, keep)
        .catch((error: unknown) => {
          if (error instanceof SecretChanged) throw rotatedBefore(patch.previousUntil);
          throw error;
        });
      existing(after, 'RESOURCE_NOT_FOUND');
      return response;
    },
  }),
  route({
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:webhookId/test',
    ...extension,
    summary: 'Send a test message, with the event `webhook.test`',
    description: `Queues one message and returns at once. \`listWebhookDeliveries\` shows the response of your service. A disabled webhook is refused (400), and so is one with ${limits.webhooks.openTests} pending test messages.`,
    params: webhookIdOf,
    idempotent: 'withIt',
    responses: { 202: deliverySchema },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params, idempotency }, services) {
      const now = seconds(services.clock.now());
      const webhook = await webhookOf(services, caller.workspaceId, params);
      assertEnabled(webhook);
      const delivery = newDelivery(webhook, testEvent(webhook.id, now));
      const response = accepted(presentDelivery(delivery));
      const keep = storedResponse(idempotency, response, now);
      const added = await services.webhooks.addDelivery(delivery, keep, limits.webhooks.openTests);
      if (added === 'off') {
        await webhookOf(services, caller.workspaceId, params);
        throw disabled();
      }
      if (added === 'full')
        throw invalidField(
          'webhookId',
          `belongs to a webhook with ${limits.webhooks.openTests} pending test messages: wait until one of them has ended`,
        );
      return response;
    },
  }),
  route({
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/:webhookId/deliveries',
    ...extension,
    summary: 'List sent and pending messages of a webhook, newest first',
    description:
      'Lists each message with its attempts, the beginning of the last response of your service, and the time of the next attempt. `redeliverWebhook` sends a message again.',
    params: webhookIdOf,
    query: listDeliveriesQuery,
    list: ({ params, query }) => `deliveries/${webhookIdOf(params)}/${query.status ?? ''}`,
    responses: { 200: deliveryListSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params, query, list }, services) {
      const { webhooks, cursors } = services;
      const { id } = await webhookOf(services, caller.workspaceId, params);
      const request = cursors.request(list, query);
      const status = query.status ?? null;
      const [rows, total] = await Promise.all([
        webhooks.deliveries(id, request, status),
        webhooks.countDeliveries(id, status),
      ]);
      return ok(cursors.page(list, request, rows, total, presentDelivery));
    },
  }),
  route({
    id: 'redeliverWebhook',
    method: 'POST',
    path: '/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
    ...extension,
    summary: 'Send a message once more, under the same id',
    description:
      'For failed or lost messages. The `webhook-id` stays the same, so that the receiver can detect a duplicate. A disabled webhook is refused (400).',
    params: webhookIdOf,
    idempotent: 'withIt',
    responses: { 202: deliverySchema },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params, idempotency }, services) {
      const nowMs = services.clock.now();
      const webhook = await webhookOf(services, caller.workspaceId, params);
      const delivery = await deliveryOf(services, webhook, params);
      assertEnabled(webhook);
      const patch = { dueAtMs: nowMs, expiresAtMs: nowMs + DELIVERY_MS };
      const isUnderWay = delivery.status === 'sending';
      const after = isUnderWay
        ? delivery
        : { ...delivery, ...patch, status: 'pending' as const, endedAt: null };
      const response = accepted(presentDelivery(after));
      await services.webhooks.sendAgain(
        delivery,
        patch,
        storedResponse(idempotency, response, seconds(nowMs)),
      );
      return response;
    },
  }),
];

const rotatedBefore = (until: number): ApiError =>
  invalidField(
    'webhookId',
    `belongs to a webhook whose secret was rotated less than 24 hours ago: wait until the previous secret expires at ${new Date(until * 1000).toISOString()}, or create another webhook`,
  );

const disabled = (): ApiError => invalidField('webhookId', 'belongs to a disabled webhook: enable it first');

function assertEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw disabled();
}
