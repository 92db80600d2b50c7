import { latestMoment, nextMoment, scheduleOf } from '../../../agent-settings/schedule-moments.js';
import { isLeftOut } from '../../../knowledge/sources/page-schedule.js';
import { fetchedTypes } from '../../../knowledge/sources/source-types.js';
import { seconds } from '../../../ports/clock.port.js';
import type { IndexedPage } from '../../../ports/store/agents/agent-turn.js';
import type { JobRow } from '../../../ports/store/rows.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { openReading, readingJob } from '../sites/site-reading.js';
import { crawlTask, type JobOrigin, languageOf, newJob, newTasks } from './job-opening.js';
import { progress } from './job-progress.js';

/** Maximum number of tasks that one turn creates, so that an agent with ten thousand pages does not block others. */
const PAGES_PER_TURN = 100;

interface PageBatch {
  /** The pages to read that still exist. */
  pages: IndexedPage[];
  /** Number of outstanding tasks that the batch covers, pages left out and deleted pages included. */
  counted: number;
  /** The next batch begins after this id; null at the end. */
  last: string | null;
}

async function indexedPages(
  { turn }: AgentTurnContext,
  after: string | null,
  wanted: number,
  scheduled = false,
): Promise<PageBatch> {
  const found = await turn.documents.pages(after, wanted);
  // With a schedule, the pages of sites are read with their sites.
  const isBySchedule = scheduled && scheduleOf(await turn.settings()) !== null;
  const ofSites = isBySchedule ? await turn.sites.ofSites(found.map(({ id }) => id)) : new Set();
  const pages = found.filter(({ id, metadata }) => !scheduled || !(isLeftOut(metadata) || ofSites.has(id)));
  return { pages, counted: found.length, last: lastOf(found, wanted) };
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
  const opened = await context.turn.jobs.insert(job, await tasksOf(context, job, pages));
  context.admit();
  return opened;
}

async function renewPages(
  context: AgentTurnContext,
  made: Pick<JobOrigin, 'requestId' | 'scheduled'>,
): Promise<JobRow | null> {
  const { documents } = context.turn.agent;
  const count = fetchedTypes.reduce((sum, type) => sum + documents[type], 0);
  const batch = await indexedPages(context, null, PAGES_PER_TURN, made.scheduled);
  return openRenewal(context, made, batch, count);
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

/** Creates the next tasks of a job. Pages left out and deleted pages get no task, and are subtracted from the job's total. */
export async function writeTasks(context: AgentTurnContext, job: JobRow): Promise<void> {
  const { turn } = context;
  const wanted = Math.min(job.tasksToCome, PAGES_PER_TURN);
  const { pages, counted, last } =
    job.retryOf === null
      ? await indexedPages(context, job.openedUpTo, wanted, job.scheduled)
      : await failedPages(context, job.retryOf, job.openedUpTo, wanted);
  await turn.jobs.addTasks(job.id, await tasksOf(context, job, pages));
  const left = job.tasksToCome - counted;
  const tasksCount = job.tasksCount - (counted - pages.length);
  if (left > 0 && last !== null)
    await turn.jobs.updateJob(job.id, { tasksToCome: left, openedUpTo: last, tasksCount });
  else await progress(context, job, { tasksToCome: 0, openedUpTo: null, tasksCount: tasksCount - left });
}

async function tasksOf(context: AgentTurnContext, job: Pick<JobRow, 'isRetrain'>, pages: IndexedPage[]) {
  const language = await languageOf(context);
  return newTasks(
    context,
    job,
    pages.map((page) => crawlTask(page.url, page, language)),
  );
}

export const retrain: Handler<'retrain'> = async (context, { requestId }) => ({
  job: await renewPages(context, { requestId }),
});

export const autoRetrain: Handler<'autoRetrain'> = async (context, { intervalSeconds }) => {
  const { turn, rules } = context;
  const now = seconds(rules.clock.now());
  // A second retrain would fetch the same pages as the running one. It is made up when that has ended.
  if (await turn.jobs.retraining()) return { job: null };
  // Another process may have started the retrain, or auto-retrain was turned off.
  if (!(await isDue(context, intervalSeconds))) return { job: null };
  const { features } = rules.entitlementsOf(await turn.workspaceNow());
  if (!features.autoRetrain) return { job: null };
  turn.change({ retrainedAt: now });
  const job = await renewPages(context, { requestId: null, scheduled: true });
  if (job) auditScheduled(context, job);
  if (scheduleOf(await turn.settings()) !== null) await refreshSites(context);
  return { job };
};

/** Starts a reading of each site of the agent without a reading in progress. */
async function refreshSites(context: AgentTurnContext): Promise<void> {
  for (const site of await context.turn.sites.all()) {
    if (await readingJob(context, site)) continue;
    auditScheduled(context, await openReading(context, site, { requestId: null, scheduled: true }));
  }
}

/** Returns whether a retrain is due now, and begins the time until the next one. */
async function isDue({ turn, rules }: AgentTurnContext, intervalSeconds: number): Promise<boolean> {
  const nowMs = rules.clock.now();
  const now = seconds(nowMs);
  const { retrainBaseAt, retrainDueAt } = turn.agent;
  if (retrainBaseAt === null) return false;
  const schedule = scheduleOf(await turn.settings());
  if (schedule === null || retrainDueAt === null) {
    if (retrainBaseAt > now - intervalSeconds && retrainBaseAt <= now) return false;
    turn.change({ retrainBaseAt: now });
    return true;
  }
  if (retrainDueAt <= now) {
    const next = nextMoment(schedule, retrainDueAt * 1000, nowMs);
    turn.change({ retrainBaseAt: now, retrainDueAt: seconds(next) });
    return true;
  }
  // The clock was set back: the next run must not wait until the clock has caught up.
  if (retrainBaseAt > now) {
    const latest = seconds(latestMoment(schedule, nowMs));
    turn.change({ retrainBaseAt: now, retrainDueAt: Math.min(retrainDueAt, latest) });
  }
  return false;
}

function auditScheduled({ turn, rules }: AgentTurnContext, { id }: JobRow): void {
  const { id: agentId, workspaceId } = turn.agent;
  const actor = { type: 'system', id: null, label: 'schedule' } as const;
  const origin = { requestId: null, address: null, atMs: rules.clock.now(), sent: {} };
  turn.audit(
    { workspaceId, agentId, actor, action: 'retrain', ...origin },
    { target: { type: 'job', id: String(id), label: null } },
  );
}
