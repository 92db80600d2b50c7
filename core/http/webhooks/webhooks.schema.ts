import { Type } from '@sinclair/typebox';
import { deliveryStatuses, disabledReasons } from '../../ports/store/webhooks.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, oneOf, pageQuery, someOf, unixSeconds, uuid } from '../../schemas/shapes.js';
import { TEST_EVENT, webhookEvents, webhookEventTypes } from '../../schemas/webhook-events.js';
import { messageSchema } from './webhook-messages.schema.js';

const URL_EXAMPLE = 'https://hooks.acme.com/cadre';

// The route checks the URL, because the rules depend on the configuration.
const url = Type.String({
  description: `http or https URL of a public host, to which messages are sent with POST; the scheme defaults to https. Maximum ${limits.url.max} characters.`,
  examples: [URL_EXAMPLE],
});
const meanings = Object.entries(webhookEvents)
  .map(([type, meaning]) => `\`${type}\`: ${meaning}`)
  .join('. ');
const events = (description = meanings) =>
  Type.Array(oneOf(webhookEventTypes), {
    minItems: 1,
    uniqueItems: true,
    description,
    examples: [['job.completed', 'job.failed']],
  });
const description = Type.String({ maxLength: limits.webhooks.description, examples: ['Our back office'] });

export const createWebhookBody = Type.Object(
  {
    url,
    events: Type.Optional(events(`${meanings}. Defaults to all.`)),
    description: Type.Optional(description),
  },
  { $id: 'CreateWebhook' },
);

export const patchWebhookBody = someOf(
  {
    url: Type.Optional(url),
    events: Type.Optional(events()),
    description: Type.Optional(description),
    enabled: Type.Optional(Type.Boolean()),
  },
  { $id: 'PatchWebhook' },
);

const webhook = {
  id: uuid('Webhook id'),
  url: Type.String({ examples: [URL_EXAMPLE] }),
  description: Type.String({ examples: ['Our back office'] }),
  events: Type.Array(oneOf(webhookEventTypes)),
  enabled: Type.Boolean(),
  disabledReason: nullable(
    oneOf(disabledReasons, {
      description:
        'Why Cadre disabled the webhook: all messages failed for too long, or the receiver responded with 410',
    }),
  ),
  failingSince: nullable(unixSeconds('Time of the first failure since the last success')),
  previousSecretUntil: nullable(unixSeconds('Until when messages are also signed with the previous secret')),
  createdAt: unixSeconds('Creation'),
};

const secret = Type.String({
  description: 'Signs the messages, see https://www.standardwebhooks.com; shown only once',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
});

export const webhookSchema = Type.Object(webhook, { $id: 'Webhook' });
export const webhookListSchema = listOf(webhookSchema, 'WebhookList');
export const webhookWithSecret = Type.Object({ ...webhook, secret }, { $id: 'WebhookWithSecret' });

export const deliverySchema = Type.Object(
  {
    id: uuid('Delivery id, which is also the `webhook-id` of the message'),
    event: oneOf([...webhookEventTypes, TEST_EVENT]),
    status: oneOf(deliveryStatuses),
    attempts: Type.Integer({ minimum: 0 }),
    createdAt: unixSeconds('The event'),
    nextAttemptAt: nullable(unixSeconds('Next attempt of a pending delivery')),
    lastAttemptAt: nullable(unixSeconds('End of the last attempt')),
    endedAt: nullable(unixSeconds('End')),
    answer: nullable(
      Type.Object(
        {
          status: Type.Integer({ description: 'HTTP status', examples: [200] }),
          body: Type.String({ description: 'Beginning of the body', examples: ['ok'] }),
        },
        { description: 'Response to the last attempt' },
      ),
    ),
    error: nullable(
      Type.Object(
        {
          code: Type.String({ examples: ['NOT_ACCEPTED'] }),
          message: Type.String({ examples: ['The receiver answered HTTP 500; 2xx is expected.'] }),
        },
        { description: 'Why the last attempt failed' },
      ),
    ),
    message: messageSchema,
  },
  { $id: 'WebhookDelivery' },
);
export const deliveryListSchema = listOf(deliverySchema, 'WebhookDeliveryList');
export const listWebhooksQuery = Type.Object(pageQuery, { $id: 'ListWebhooksQuery' });
export const listDeliveriesQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(oneOf(deliveryStatuses, { description: 'Only messages in this state' })),
  },
  { $id: 'ListDeliveriesQuery' },
);
