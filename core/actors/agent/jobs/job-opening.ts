import { v7 as uuidv7 } from 'uuid';
import { validatorsOf } from '../../../knowledge/urls/page-validators.js';
import { seconds } from '../../../ports/clock.port.js';
import type { IndexedPage } from '../../../ports/store/agents/agent-turn.js';
import type { JobRow, NewJob, TaskRow } from '../../../ports/store/rows.js';
import type { JobType } from '../../../tasks/job-types.js';
import type { JobTaskType, TaskPayloads } from '../../../tasks/task-types.js';
import type { CrawlPagePayload } from '../../../tasks/types/crawl-page.js';
import type { AgentTurnContext } from '../handler.js';
import type { RegisteredFile } from '../messages.js';

export interface NewTask {
  /** Set if an object is already stored under this id. */
  id?: string;
  type: JobTaskType;
  target: string;
  payload: TaskPayloads[JobTaskType];
  documentId: string | null;
}

export interface JobOrigin {
  type: JobType;
  requestId: string | null;
  /** The job whose failed tasks this one retries. */
  retryOf?: number | null;
  scheduled?: boolean;
}

/** Creates a job with its tasks. Admits as many tasks as the agent's window allows. */
export async function openJob(
  context: AgentTurnContext,
  { tasks, ...made }: JobOrigin & { tasks: NewTask[] },
): Promise<JobRow> {
  const job = { ...newJob(context, made), tasksCount: tasks.length };
  const opened = await context.turn.jobs.insert(job, newTasks(context, job, tasks));
  context.admit();
  return opened;
}

/** Returns a pending job without tasks. */
export function newJob(
  { rules, traceparent }: Pick<AgentTurnContext, 'rules' | 'traceparent'>,
  { type, requestId, retryOf = null, scheduled = false }: JobOrigin,
): NewJob {
  return {
    type,
    isRetrain: type === 'retrain',
    scheduled,
    status: 'pending',
    tasksCount: 0,
    tasksEnded: 0,
    tasksFailed: 0,
    tasksToCome: 0,
    openedUpTo: null,
    retryOf,
    cancelledAt: null,
    requestId,
    traceparent,
    createdAt: seconds(rules.clock.now()),
    startedAt: null,
    finishedAt: null,
  };
}

/** Returns task rows in the given order, due now. */
export function newTasks(
  { rules }: AgentTurnContext,
  { isRetrain }: Pick<JobRow, 'isRetrain'>,
  tasks: NewTask[],
): Omit<TaskRow, 'jobId' | 'agentId'>[] {
  const dueAtMs = rules.clock.now();
  return tasks.map((task) => ({
    id: uuidv7(),
    ...task,
    isRetrain,
    status: 'pending',
    attempts: 0,
    dueAtMs,
    leaseUntilMs: null,
    published: false,
    error: null,
    progress: null,
  }));
}

/** Returns the agent's locale, in which scanned pages are recognised; null without one. */
export async function languageOf({ turn }: AgentTurnContext): Promise<string | null> {
  const { language } = await turn.settings();
  return typeof language === 'string' ? language : null;
}

/** Returns a task that fetches a page. For a known page, the task has its content hash and HTTP validators. */
export const crawlTask = (
  url: string,
  page: Omit<IndexedPage, 'url'> | null,
  language: string | null,
): NewTask => ({
  type: 'crawl_page',
  target: url,
  payload: {
    url,
    ...(page === null ? {} : { known: knownOf(page) }),
    ...(language === null ? {} : { language }),
  },
  documentId: page?.id ?? null,
});

export function knownOf({
  contentHash,
  metadata,
}: Omit<IndexedPage, 'url'>): NonNullable<CrawlPagePayload['known']> {
  const { etag, lastModified, finalUrl } = validatorsOf(metadata);
  const validators = {
    ...(typeof etag === 'string' ? { etag } : {}),
    ...(typeof lastModified === 'string' ? { lastModified } : {}),
  };
  const isValidated = Object.keys(validators).length > 0;
  return {
    contentHash,
    ...validators,
    ...(isValidated && typeof finalUrl === 'string' ? { url: finalUrl } : {}),
  };
}

export const sitemapTask = (url: string, limit: number): NewTask => ({
  type: 'read_sitemap',
  target: url,
  payload: { url, limit },
  documentId: null,
});

export const parseTask = (file: RegisteredFile, unique: boolean): NewTask => ({
  type: 'parse_file',
  target: file.fileName,
  payload: unique ? { ...file, unique } : file,
  documentId: null,
});
