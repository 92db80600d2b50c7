import { v7 as uuidv7 } from 'uuid';
import type { TaskPayloads, TaskType } from '../../jobs/wire.js';
import { seconds } from '../../ports/clock.port.js';
import type { DocumentRow, JobRow, JobType } from '../../ports/store.port.js';
import type { AgentTurnContext } from './behaviour.js';
import type { RegisteredFile } from './messages.js';
import { admit } from './window.js';

interface NewTask {
  type: TaskType;
  target: string;
  payload: TaskPayloads[TaskType];
  documentId: string | null;
}

/** Writes a job with its tasks in this turn, and lets the first of them into the agent's window. */
export async function openJob(
  context: AgentTurnContext,
  { type, requestId, tasks }: { type: JobType; requestId: string | null; tasks: NewTask[] },
): Promise<JobRow> {
  const { turn, rules } = context;
  const now = rules.clock.now();
  const isRetrain = type === 'retrain';
  const job = await turn.jobs.insert(
    {
      type,
      isRetrain,
      status: 'pending',
      tasksCount: tasks.length,
      tasksEnded: 0,
      tasksFailed: 0,
      requestId,
      createdAt: seconds(now),
      startedAt: null,
      finishedAt: null,
    },
    tasks.map((task) => ({
      ...task,
      id: uuidv7(),
      isRetrain,
      status: 'pending',
      attempts: 0,
      dueAtMs: now,
      leaseUntilMs: null,
      published: false,
      error: null,
    })),
  );
  await admit(context);
  return job;
}

/** Fetch a page, or fetch it again with the validators that came with the content we have. */
export function crawlTask(url: string, page: Pick<DocumentRow, 'id' | 'metadata'> | null): NewTask {
  const { etag, lastModified, finalUrl } = page?.metadata ?? {};
  const known = {
    ...(typeof etag === 'string' ? { etag } : {}),
    ...(typeof lastModified === 'string' ? { lastModified } : {}),
  };
  return {
    type: 'crawl_page',
    target: url,
    payload: {
      url,
      ...(Object.keys(known).length === 0
        ? {}
        : { known: { ...known, ...(typeof finalUrl === 'string' ? { url: finalUrl } : {}) } }),
    },
    documentId: page?.id ?? null,
  };
}

export const parseTask = (file: RegisteredFile): NewTask => ({
  type: 'parse_file',
  target: file.fileName,
  payload: file,
  documentId: null,
});
