import { fetchedTypes } from '../../../knowledge/sources/source-types.js';
import { seconds } from '../../../ports/clock.port.js';
import type { IndexedPage } from '../../../ports/store/agents/agent-turn.js';
import type { JobRow } from '../../../ports/store/rows.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { crawlTask, type JobOrigin, newJob, newTasks } from './job-opening.js';
import { progress } from './job-progress.js';

/** Maximum number of tasks that one turn creates, so that an agent with ten thousand pages does not block others. */
const PAGES_PER_TURN = 100;

interface PageBatch {
  /** The pages that still exist. */
  pages: IndexedPage[];
  /** Number of outstanding tasks that the batch covers, deleted pages included. */
  counted: number;
  /** The next batch begins after this id; null at the end. */
  last: string | null;
}

async function indexedPages(
  { turn }: AgentTurnContext,
  after: string | null,
  wanted: number,
): Promise<PageBatch> {
  const pages = await turn.documents.pages(after, wanted);
  return { pages, counted: pages.length, last: lastOf(pages, wanted) };
}

async function failedPages(
  { turn }: AgentTurnContext,
  jobId: number,
  after: string | null,
  wanted: number,
): Promise<PageBatch> {
  const tasks = await turn.jobs.failedTasks(jobId, after, wanted);
  await turn.documents.load(tasks.flatMap(({ documentId }) => documentId ?? []));
  const pages: IndexedPage[] = [];
  for (const { documentId } of tasks) {
    const found = documentId === null ? null : await turn.documents.find(documentId);
    if (!found?.url) continue;
    const { id, url, contentHash, metadata } = found;
    pages.push({ id, url, contentHash, metadata });
  }
  return { pages, counted: tasks.length, last: lastOf(tasks, wanted) };
}

const lastOf = (rows: { id: string }[], wanted: number): string | null =>
  rows.length === wanted ? (rows.at(-1)?.id ?? null) : null;

/**
 * Creates a job with one task for each of `count` pages; null if there is no page. The job counts all of
 * them from the start; later turns create the tasks that do not fit into this one.
 */
async function openRenewal(
  context: AgentTurnContext,
  made: Omit<JobOrigin, 'type'>,
  { pages, counted, last }: PageBatch,
  count: number,
): Promise<JobRow | null> {
  const tasksToCome = last === null ? 0 : Math.max(0, count - counted);
  if (pages.length === 0 && tasksToCome === 0) return null;
  const job = {
    ...newJob(context, { ...made, type: 'retrain' }),
    tasksCount: pages.length + tasksToCome,
    tasksToCome,
    openedUpTo: tasksToCome > 0 ? last : null,
  };
  const opened = await context.turn.jobs.insert(job, tasksOf(context, job, pages));
  context.admit();
  return opened;
}

async function renewPages(context: AgentTurnContext, requestId: string | null): Promise<JobRow | null> {
  const { documents } = context.turn.agent;
  const count = fetchedTypes.reduce((sum, type) => sum + documents[type], 0);
  return openRenewal(context, { requestId }, await indexedPages(context, null, PAGES_PER_TURN), count);
}

/** Retries the pages that failed in this job; null if none is left. */
export const renewFailed = async (
  context: AgentTurnContext,
  { id, tasksFailed }: Pick<JobRow, 'id' | 'tasksFailed'>,
  requestId: string | null,
): Promise<JobRow | null> =>
  openRenewal(
    context,
    { requestId, retryOf: id },
    await failedPages(context, id, null, PAGES_PER_TURN),
    tasksFailed,
  );

/** Creates the next tasks of a job. Deleted pages get no task, and are subtracted from the job's total. */
export async function writeTasks(context: AgentTurnContext, job: JobRow): Promise<void> {
  const { turn } = context;
  const wanted = Math.min(job.tasksToCome, PAGES_PER_TURN);
  const { pages, counted, last } =
    job.retryOf === null
      ? await indexedPages(context, job.openedUpTo, wanted)
      : await failedPages(context, job.retryOf, job.openedUpTo, wanted);
  await turn.jobs.addTasks(job.id, tasksOf(context, job, pages));
  const left = job.tasksToCome - counted;
  const tasksCount = job.tasksCount - (counted - pages.length);
  if (left > 0 && last !== null)
    await turn.jobs.updateJob(job.id, { tasksToCome: left, openedUpTo: last, tasksCount });
  else await progress(context, job, { tasksToCome: 0, openedUpTo: null, tasksCount: tasksCount - left });
}

const tasksOf = (context: AgentTurnContext, job: Pick<JobRow, 'isRetrain'>, pages: IndexedPage[]) =>
  newTasks(
    context,
    job,
    pages.map((page) => crawlTask(page.url, page)),
  );

export const retrain: Handler<'retrain'> = async (context, { requestId }) => ({
  job: await renewPages(context, requestId),
});

export const autoRetrain: Handler<'autoRetrain'> = async (context, { intervalSeconds }) => {
  const { turn, rules } = context;
  const now = seconds(rules.clock.now());
  const { retrainBaseAt } = turn.agent;
  // Skip if another process has started the retrain, or if auto-retrain was turned off.
  const isRecent = retrainBaseAt !== null && retrainBaseAt > now - intervalSeconds && retrainBaseAt <= now;
  if (retrainBaseAt === null || isRecent) return { job: null };
  turn.change({ retrainBaseAt: now });
  // A second retrain would fetch the same pages as the running one.
  if (await turn.jobs.retraining()) return { job: null };
  const { features } = rules.entitlementsOf(await turn.workspaceNow());
  const job = features.autoRetrain ? await renewPages(context, null) : null;
  if (job) auditScheduled(context, job);
  return { job };
};

function auditScheduled({ turn, rules }: AgentTurnContext, { id }: JobRow): void {
  const { id: agentId, workspaceId } = turn.agent;
  const actor = { type: 'system', id: null, label: 'schedule' } as const;
  const origin = { requestId: null, address: null, atMs: rules.clock.now(), sent: {} };
  turn.audit(
    { workspaceId, agentId, actor, action: 'retrain', ...origin },
    { target: { type: 'job', id: String(id), label: null } },
  );
}
