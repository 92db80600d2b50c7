import type { AttemptIdentity, TaskEvent, TaskMessage } from './wire.js';

/*
 * Webhook deliveries on the wire. Queue plugins, and processes of the previous version, expect the ids of a task in
 * every message. So a delivery is sent with its id as the task id, its webhook's id as the agent id, and job 0. The
 * next WIRE_VERSION can send the ids of the delivery directly.
 */

const NO_JOB = 0;

interface DeliveryIds {
  deliveryId: string;
  webhookId: string;
}

type TaskIds = Pick<AttemptIdentity, 'taskId' | 'jobId' | 'agentId'>;
type OfDelivery<Message> = Message extends TaskIds ? Omit<Message, keyof TaskIds> & DeliveryIds : never;

export type DeliveryMessage = OfDelivery<Extract<TaskMessage, { type: 'deliver_webhook' }>>;
/** An event of an attempt at a delivery. */
export type DeliveryEvent = OfDelivery<TaskEvent>;

export const encodeDelivery = ({ deliveryId, webhookId, ...message }: DeliveryMessage): TaskMessage => ({
  ...message,
  taskId: deliveryId,
  jobId: NO_JOB,
  agentId: webhookId,
});

/** Returns the event of a delivery; null if the event belongs to a task of a job. */
export function decodeDelivery(event: TaskEvent): DeliveryEvent | null {
  if (event.jobId !== NO_JOB) return null;
  const { taskId, jobId: _, agentId, ...rest } = event;
  return { ...rest, deliveryId: taskId, webhookId: agentId };
}

/** Returns the ids of an attempt, named as in log lines and spans. */
export const namedIds = ({ taskId, jobId, agentId }: TaskIds) =>
  jobId === NO_JOB ? { webhookId: agentId, deliveryId: taskId } : { agentId, jobId, taskId };
