import { seconds } from '../../ports/clock.port.js';
import type { IndexedPage } from '../../ports/store/agent-turn.js';
import type { JobRow } from '../../ports/store/rows.js';
import type { AgentTurnContext, Handler } from './handler.js';
import { crawlTask, type JobOrigin, newJob, newTasks } from './job-opening.js';
import { progress } from './job-progress.js';

/** Tasks that one turn writes at most: an agent of ten thousand pages must not hold up the others. */
const PAGES_PER_TURN = 100;

/** A piece of what a job is about. */
interface Piece {
  /** Those that still exist. */
  pages: IndexedPage[];
  /** How many of the tasks to come it stands for, with those that will not be. */
  counted: number;
  /** Where the next piece begins; null when this was all there is. */
  last: string | null;
}

/** Indexed pages of the agent. */
async function indexedPages(
  { turn }: AgentTurnContext,
  after: string | null,
  wanted: number,
): Promise<Piece> {
  const pages = await turn.documents.pages(after, wanted);
  return { pages, counted: pages.length, last: lastOf(pages, wanted) };
}

/** Pages that failed in a job, without those that were deleted since. */
async function failedPages(
  { turn }: AgentTurnContext,
  jobId: number,
  after: string | null,
  wanted: number,
): Promise<Piece> {
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
 * Creates a job with one task for each of `count` pages; null when there is no page. The job counts all of
 * them from the start; tasks that do not fit into this turn are written by later ones.
 */
async function openRenewal(
  context: AgentTurnContext,
  made: Omit<JobOrigin, 'type'>,
  { pages, counted, last }: Piece,
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

const renewPages = async (context: AgentTurnContext, requestId: string | null): Promise<JobRow | null> =>
  openRenewal(
    context,
    { requestId },
    await indexedPages(context, null, PAGES_PER_TURN),
    context.turn.agent.documents.web_crawl,
  );

/** Pages whose renewal failed in this job, once more; null when none of them is left. */
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

/** Writes the next tasks of a job. Pages that were deleted meanwhile get none, and the job no longer counts them. */
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
  // Another process came first, or it was turned off.
  if (retrainBaseAt === null || retrainBaseAt > now - intervalSeconds) return { job: null };
  turn.change({ retrainBaseAt: now });
  // The one before is not done yet: a second one would fetch the same pages again.
  if (await turn.jobs.retraining()) return { job: null };
  const { features } = rules.entitlementsOf(await turn.workspaceNow());
  return { job: features.autoRetrain ? await renewPages(context, null) : null };
};
