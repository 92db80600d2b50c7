import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';

/** What a worker says of a page that is as it was; or, where there was none, of one with a single line. */
export async function emitAsWorker(
  emit: (event: TaskEvent) => Promise<void>,
  message: TaskMessage,
): Promise<void> {
  const { v, taskId, jobId, agentId, attempt } = message;
  const base = { v, taskId, jobId, agentId, attempt, worker: 'bench' };
  const text = 'One line.';
  await emit({ ...base, kind: 'started' });
  await emit({
    ...base,
    kind: 'succeeded',
    outcome:
      message.type === 'crawl_page' && message.payload.known
        ? { kind: 'unchanged', metadata: {}, contentHash: message.payload.known.contentHash }
        : {
            kind: 'extracted',
            contentHash: `hash of ${taskId}`,
            extraction: {
              title: 'Page',
              text,
              chunks: [{ start: 0, end: text.length, headings: [] }],
              metadata: {},
            },
          },
  });
}
