import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { channelFailureCodes } from '../../errors/channel-failures.js';
import { answerOutcomes } from '../../schemas/answer-outcomes.js';
import { evaluationOrigins } from '../../schemas/evaluations.js';
import { nullable, oneOf, unixSeconds, uuid } from '../../schemas/shapes.js';
import { TEST_EVENT, type WebhookEventType, webhookEvents } from '../../schemas/webhook-events.js';
import { failureCodes } from '../../tasks/failures.js';
import { figures } from '../evaluations/evaluations.schema.js';
import { listedJobSchema } from '../jobs/jobs.schema.js';

type MessageType = WebhookEventType | typeof TEST_EVENT;

const agentId = uuid('Agent id');
// A copy without `$id`, because an `$id` may occur only once in a schema.
const jobEnd = { agentId, job: Type.Object(listedJobSchema.properties) };

/** `data` of the messages, by their types. */
const data: Record<MessageType, TProperties> = {
  'answer.completed': {
    agentId,
    conversationId: Type.String(),
    messageId: Type.String(),
    outcome: oneOf(answerOutcomes),
  },
  'channel.reconnect_required': {
    agentId,
    accountId: Type.String({ description: 'Id of the account on the platform' }),
    reason: oneOf(channelFailureCodes),
  },
  'contact.created': { agentId, conversationId: Type.String(), contactId: uuid('Contact id') },
  'evaluation.completed': {
    agentId,
    evaluationId: uuid('Evaluation id'),
    name: nullable(Type.String()),
    origin: oneOf(evaluationOrigins),
    status: oneOf(['completed', 'failed']),
    figures: Type.Object(figures),
  },
  'handover.ended': {
    agentId,
    conversationId: Type.String(),
    reason: oneOf(['agent', 'closed', 'cancelled', 'timeout']),
  },
  'handover.requested': { agentId, conversationId: Type.String() },
  'job.completed': jobEnd,
  'job.failed': jobEnd,
  'message.created': { agentId, conversationId: Type.String(), messageId: Type.String() },
  'source.failed': {
    agentId,
    jobId: Type.String(),
    taskId: uuid('Task id'),
    target: Type.String({ description: 'URL or file name' }),
    documentId: nullable(Type.String()),
    error: Type.Object({ code: oneOf(failureCodes), message: Type.String({ description: 'For people' }) }),
  },
  'quota.near': {
    allowance: oneOf(['agents', 'storageBytes', 'visitorMessages', 'visitorStorageBytes']),
    used: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 0 }),
  },
  [TEST_EVENT]: { webhookId: uuid('Webhook id') },
};

const meanings: Record<MessageType, string> = { ...webhookEvents, [TEST_EVENT]: '`testWebhook` was called' };

/** `job.completed` becomes `JobCompletedMessage`. */
const nameOf = (type: string): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Message`;

export interface MessageSchema {
  type: MessageType;
  meaning: string;
  name: string;
  schema: TSchema;
}

/** The schemas of all messages to webhooks. */
export const messageSchemas: readonly MessageSchema[] = (Object.keys(data) as MessageType[]).map((type) => {
  const name = nameOf(type);
  const schema = Type.Object(
    { type: Type.Literal(type), timestamp: unixSeconds('The event'), data: Type.Object(data[type]) },
    { $id: name },
  );
  return { type, meaning: meanings[type], name, schema };
});

export const messageSchema = Type.Unsafe<object>(
  Type.Union(
    messageSchemas.map(({ schema }) => schema),
    { $id: 'WebhookMessage', discriminatedBy: 'type' },
  ),
);
