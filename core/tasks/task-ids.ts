import { namedIds } from './delivery-envelope.js';
import { taskTypes } from './task-types.js';
import type { TaskEvent, TaskMessage } from './wire.js';

/* The ids of an attempt in log lines and spans. */

type Named = Pick<TaskEvent, 'taskId' | 'jobId' | 'agentId' | 'attempt' | 'requestId' | 'target'>;

const idsOf = ({ requestId, attempt, target, ...ids }: Named) => ({
  requestId,
  ...namedIds(ids),
  attempt,
  target,
});

export const idsOfEvent = (event: TaskEvent) => idsOf(event);

export const idsOfTask = (message: TaskMessage) => ({
  ...idsOf({ ...message, target: targetOf(message) }),
  type: message.type,
});

export const targetOf = ({ type, payload }: Pick<TaskMessage, 'type' | 'payload'>): string =>
  (taskTypes[type].target as (payload: unknown) => string)(payload);
