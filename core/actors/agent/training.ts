import { seconds } from '../../ports/clock.port.js';
import type { IndexedPage } from '../../ports/store/agent-turn.js';
import type { JobRow } from '../../ports/store/rows.js';
import type { AgentTurnContext, Handler } from './handler.js';
import { crawlTask, newJob, newTasks } from './job-opening.js';
import { progress } from './job-progress.js';
import { admit } from './window.js';

/** One turn writes so many tasks at most: an agent of ten thousand pages must not hold up the others. */
const PAGES_PER_TURN = 100;

/**
 * A job with one task for each indexed page; null when there is none. It counts all of them from the start; tasks that do not fit into this
 * turn are written by later ones.
 */
async function renewPages(context: AgentTurnContext, requestId: string | null): Promise<JobRow | null> {
  const { turn } = context;
  const pages = await turn.documents.pages(null, PAGES_PER_TURN);
  const last = pages.at(-1);
  if (!last) return null;
  const tasksToCome = turn.agent.documents.web_crawl - pages.length;
  const job = {
    ...newJob(context, { type: 'retrain', requestId }),
    tasksCount: pages.length + tasksToCome,
    tasksToCome,
    openedUpTo: tasksToCome > 0 ? last.id : null,
  };
  const opened = await turn.jobs.insert(job, tasksOf(context, job, pages));
  await admit(context);
  return opened;
}

/** Writes the next tasks of a job. Pages that were deleted since it was made get none, and it counts them no longer. */
export const openTasks: Handler<'openTasks'> = async (context, { jobId }) => {
  const { turn } = context;
  const job = await turn.jobs.job(jobId);
  // Another process came first, and this was the last piece.
  if (!job || job.openedUpTo === null) return null;
  const wanted = Math.min(job.tasksToCome, PAGES_PER_TURN);
  const pages = await turn.documents.pages(job.openedUpTo, wanted);
  await turn.jobs.addTasks(job.id, tasksOf(context, job, pages));
  const left = job.tasksToCome - pages.length;
  const last = pages.length === wanted ? pages.at(-1) : undefined;
  if (left > 0 && last) await turn.jobs.updateJob(job.id, { tasksToCome: left, openedUpTo: last.id });
  else await progress(context, job, { tasksToCome: 0, openedUpTo: null, tasksCount: job.tasksCount - left });
  await admit(context);
  return null;
};

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
  const { features } = rules.entitlementsOf(await turn.workspace());
  return { job: features.autoRetrain ? await renewPages(context, null) : null };
};
