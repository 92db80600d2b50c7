import { namedIds } from './delivery-envelope.js';
import { shownPage, shownWebhook } from './shown-url.js';
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

export const targetOfDocuments = (count: number): string =>
  `${count} ${count === 1 ? 'document' : 'documents'}`;

export function targetOf({ payload }: Pick<TaskMessage, 'payload'>): string {
  if ('headers' in payload) return shownWebhook(payload.url);
  if ('url' in payload) return shownPage(payload.url, '?[redacted]');
  return 'fileName' in payload ? payload.fileName : targetOfDocuments(payload.documents.length);
}
