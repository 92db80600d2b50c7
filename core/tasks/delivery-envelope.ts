import type { AttemptIdentity, TaskEvent, TaskMessage } from './wire.js';

/*
 * Webhook deliveries on the wire. Queue plugins, and workers and APIs of the version before, expect the ids of a task
 * in every message. So a delivery is sent with its id as the task's, its webhook's id as the agent's, and no job. The next
 * WIRE_VERSION can send the ids of the delivery directly.
 */

const NO_JOB = 0;

interface DeliveryIds {
  deliveryId: string;
  webhookId: string;
}

type TaskIds = Pick<AttemptIdentity, 'taskId' | 'jobId' | 'agentId'>;
type OfDelivery<Message> = Message extends TaskIds ? Omit<Message, keyof TaskIds> & DeliveryIds : never;

export type DeliveryMessage = OfDelivery<Extract<TaskMessage, { type: 'deliver_webhook' }>>;
/** An event of an attempt of a delivery. */
export type DeliveryEvent = OfDelivery<TaskEvent>;

export const encodeDelivery = ({ deliveryId, webhookId, ...message }: DeliveryMessage): TaskMessage => ({
  ...message,
  taskId: deliveryId,
  jobId: NO_JOB,
  agentId: webhookId,
});

/** Returns the event of a delivery; null if the event is about a task of a job. */
export function decodeDelivery(event: TaskEvent): DeliveryEvent | null {
  if (event.jobId !== NO_JOB) return null;
  const { taskId, jobId: _, agentId, ...rest } = event;
  return { ...rest, deliveryId: taskId, webhookId: agentId };
}

/** Returns the ids of an attempt under their names in log lines and spans. */
export const namedIds = ({ taskId, jobId, agentId }: TaskIds) =>
  jobId === NO_JOB ? { webhookId: agentId, deliveryId: taskId } : { agentId, jobId, taskId };
