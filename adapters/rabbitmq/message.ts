import type { ConsumeMessage, GetMessage, Options } from 'amqplib';
import { namedIds } from '../../core/tasks/delivery-envelope.js';
import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';

/** Returns properties and headers, which only RabbitMQ management shows. Consumers read only the body. */
const properties = (type: string, id: string, headers: Record<string, unknown>): Options.Publish => ({
  persistent: true,
  mandatory: true,
  contentType: 'application/json',
  contentEncoding: 'utf-8',
  messageId: id,
  type,
  appId: 'cadre',
  timestamp: Math.floor(Date.now() / 1000),
  headers,
});

export interface Outgoing {
  body: Buffer;
  properties: Options.Publish & { messageId: string };
}

const outgoing = (
  value: TaskMessage | TaskEvent,
  type: string,
  id: string,
  more: Record<string, unknown>,
): Outgoing => {
  const ids = namedIds(value);
  const named =
    'webhookId' in ids
      ? { webhook: ids.webhookId, delivery: ids.deliveryId }
      : { agent: ids.agentId, job: ids.jobId, task: ids.taskId };
  const headers = { ...named, attempt: value.attempt, ...more };
  return {
    body: Buffer.from(JSON.stringify(value)),
    properties: { ...properties(type, id, headers), messageId: id },
  };
};

export const encodeTask = (message: TaskMessage): Outgoing =>
  outgoing(
    message,
    message.type,
    `${message.taskId}.${message.attempt}`,
    message.requestId === null ? {} : { request: message.requestId },
  );

export const encodeEvent = (event: TaskEvent): Outgoing =>
  outgoing(event, event.kind, `${event.taskId}.${event.attempt}.${event.kind}`, { worker: event.worker });

/** Parses the body as JSON. Returns undefined if it is invalid. */
export const decode = ({ content }: Pick<ConsumeMessage, 'content'>): unknown => {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Returns the number of earlier deliveries of a message. */
export const returns = ({ properties: { headers } }: ConsumeMessage | GetMessage): number =>
  Number(headers?.['x-delivery-count'] ?? 0);

/** Returns why the broker dead-lettered a task message. */
export const deathReason = ({ properties: { headers } }: ConsumeMessage): string => {
  const first = headers?.['x-death']?.[0]?.reason ?? headers?.['x-first-death-reason'];
  if (String(first) === 'delivery_limit') return 'workers returned the task, or died with it, too often';
  if (first === 'rejected') return 'the worker could not read the task message';
  return `RabbitMQ dead-lettered the task message (${String(first ?? 'no reason given')})`;
};
