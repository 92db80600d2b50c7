import { ApiError, invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import { SecretChanged } from '../../ports/store/store-errors.js';
import type { WebhookRow } from '../../ports/store/webhooks.js';
import { isUuid } from '../../ports/uuid.js';
import type { JsonObject } from '../../schemas/json.js';
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
import { keptAnswer } from '../idempotency.js';
import { accepted, created, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import type { FieldErrors } from '../validation/validate.js';
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

/** An unknown id and one that has no form of ours get the same answer. */
function idOf(params: Record<string, string>, name: 'webhookId' | 'deliveryId'): string {
  const id = params[name] ?? '';
  if (!isUuid(id)) throw new ApiError('RESOURCE_NOT_FOUND');
  return id.toLowerCase();
}
const webhookIdOf = (params: Record<string, string>): string => idOf(params, 'webhookId');

async function webhookOf(
  { webhooks }: Services,
  workspaceId: string,
  params: Record<string, string>,
): Promise<WebhookRow> {
  const found = await webhooks.find(workspaceId, webhookIdOf(params));
  if (!found) throw new ApiError('RESOURCE_NOT_FOUND');
  return found;
}

async function deliveryOf({ webhooks }: Services, { id }: WebhookRow, params: Record<string, string>) {
  const found = await webhooks.delivery(id, idOf(params, 'deliveryId'));
  if (!found) throw new ApiError('RESOURCE_NOT_FOUND');
  return found;
}

/** A URL to which nothing may be sent; any other takes its normal form. */
async function problems(body: JsonObject, { allowPrivateWebhooks }: Services): Promise<FieldErrors> {
  if (typeof body.url !== 'string') return {};
  const parsed = webhookUrl(body.url, allowPrivateWebhooks);
  if (!parsed.ok) return { url: [parsed.reason] };
  body.url = parsed.url;
  return {};
}

const extension = { extension: true, scope: 'workspace' } as const;

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
    summary: 'Have events of the workspace sent to a URL, signed as Standard Webhooks',
    description:
      'From now on the events that it names are sent to the URL. The answer holds the `secret` with which you verify messages: keep it, it is shown only now. Then send a test message with `testWebhook`.',
    body: createWebhookBody,
    problems,
    idempotent: 'withIt',
    responses: { 201: webhookWithSecret },
    async handle({ caller, body, idempotency }, services) {
      const now = seconds(services.clock.now());
      const row = newWebhook(caller.workspaceId, body, now);
      const answer = created({ ...presentWebhook(row, now), secret: row.secret });
      const isMade = await services.webhooks.create(
        row,
        limits.webhooks.max,
        keptAnswer(idempotency, answer, now),
      );
      if (!isMade)
        throw invalidField(
          'url',
          `would be one more than the ${limits.webhooks.max} webhooks of a workspace`,
        );
      return answer;
    },
  }),
  route({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:webhookId',
    ...extension,
    summary: 'Read a webhook',
    description:
      'Whether it is enabled, and since when nothing has arrived. `listWebhookDeliveries` shows each message.',
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
    summary: 'Change a webhook, or switch it on or off; switching it off gives up waiting messages',
    description:
      'Fields that are left out stay as they are. A disabled webhook gets nothing, and messages that wait for it are given up; `enabled: true` makes it get what happens from then on.',
    params: webhookIdOf,
    body: patchWebhookBody,
    problems,
    responses: { 200: webhookSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller, params, body }, services) {
      const now = seconds(services.clock.now());
      const { enabled, ...rest } = body;
      const patch = { ...rest, ...(enabled === undefined ? {} : switched(enabled)) };
      const row = await services.webhooks.update(caller.workspaceId, webhookIdOf(params), { now, ...patch });
      if (!row) throw new ApiError('RESOURCE_NOT_FOUND');
      return ok(presentWebhook(row, now));
    },
  }),
  route({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:webhookId',
    ...extension,
    summary: 'Delete a webhook and the messages waiting for it',
    description:
      'Nothing more is sent, and its log is gone. To pause it, switch it off with `updateWebhook`.',
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
    summary: 'Get a new secret; the old one also signs for a day',
    description:
      'For a day messages carry a signature of each secret, so that you have time to switch. During that day another rotation is refused (400). The new `secret` is shown only now.',
    params: webhookIdOf,
    idempotent: 'withIt',
    responses: { 200: webhookWithSecret },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params, idempotency }, services) {
      const now = seconds(services.clock.now());
      const before = await webhookOf(services, caller.workspaceId, params);
      const until = bothSignUntil(before, now);
      if (until !== null) throw rotatedBefore(until);
      const patch = rotated(before, now);
      const answer = ok({ ...presentWebhook({ ...before, ...patch }, now), secret: patch.secret });
      const keep = keptAnswer(idempotency, answer, now);
      const change = { now, secretBefore: before.secret, ...patch };
      const after = await services.webhooks
        .update(caller.workspaceId, before.id, change, keep)
        .catch((error: unknown) => {
          if (error instanceof SecretChanged) throw rotatedBefore(patch.previousUntil);
          throw error;
        });
      if (!after) throw new ApiError('RESOURCE_NOT_FOUND');
      return answer;
    },
  }),
  route({
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:webhookId/test',
    ...extension,
    summary: 'Send a test message, with the event `webhook.test`',
    description: `Puts one message in line and answers at once. Look it up in \`listWebhookDeliveries\` to see what your service answered. A disabled webhook is refused (400), and so is one with ${limits.webhooks.openTests} test messages on their way.`,
    params: webhookIdOf,
    idempotent: 'withIt',
    responses: { 202: deliverySchema },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params, idempotency }, services) {
      const now = seconds(services.clock.now());
      const webhook = await webhookOf(services, caller.workspaceId, params);
      assertEnabled(webhook);
      const delivery = newDelivery(webhook, testEvent(webhook.id, now));
      const answer = accepted(presentDelivery(delivery));
      const keep = keptAnswer(idempotency, answer, now);
      const added = await services.webhooks.addDelivery(delivery, keep, limits.webhooks.openTests);
      if (added === 'off') {
        await webhookOf(services, caller.workspaceId, params);
        throw disabled();
      }
      if (added === 'full')
        throw invalidField(
          'webhookId',
          `belongs to a webhook with ${limits.webhooks.openTests} test messages on their way: wait until one has ended, or send one of them again`,
        );
      return answer;
    },
  }),
  route({
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/:webhookId/deliveries',
    ...extension,
    summary: 'List what was sent to a webhook, or waits to be, newest first',
    description:
      'Each message with its attempts, the beginning of what your service answered, and when it is tried next. `redeliverWebhook` sends one again.',
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
      'For messages that were given up or that you have lost. The `webhook-id` stays the same, so a receiver that has it already can tell. A disabled webhook is refused (400).',
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
      const answer = accepted(presentDelivery(after));
      await services.webhooks.sendAgain(delivery, patch, keptAnswer(idempotency, answer, seconds(nowMs)));
      return answer;
    },
  }),
];

const rotatedBefore = (until: number): ApiError =>
  invalidField(
    'webhookId',
    `belongs to a webhook whose secret was rotated less than a day ago: rotate it after ${new Date(until * 1000).toISOString()}, when the one before no longer signs, or make another webhook`,
  );

const disabled = (): ApiError => invalidField('webhookId', 'belongs to a disabled webhook: enable it first');

function assertEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw disabled();
}
