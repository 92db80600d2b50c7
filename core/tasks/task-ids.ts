import type { TaskEvent, TaskMessage } from './wire.js';

/* What an attempt is called in log lines and spans, whoever speaks of it. */

type Named = Pick<TaskEvent, 'taskId' | 'jobId' | 'agentId' | 'attempt' | 'requestId' | 'target'>;

const idsOf = ({ requestId, agentId, jobId, taskId, attempt, target }: Named) => ({
  requestId,
  agentId,
  jobId,
  taskId,
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

/** The page, the file or the documents. The query of a URL may be a secret. */
export function targetOf({ payload }: Pick<TaskMessage, 'payload'>): string {
  // The path of a webhook may be its secret.
  if ('headers' in payload) return URL.canParse(payload.url) ? new URL(payload.url).origin : '[no URL]';
  if ('url' in payload) return payload.url.replace(/[?#].*/s, '?[redacted]');
  return 'fileName' in payload ? payload.fileName : targetOfDocuments(payload.documents.length);
}
