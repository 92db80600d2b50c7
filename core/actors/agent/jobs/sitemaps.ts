import { ApiError } from '../../../errors/api-error.js';
import { skipping } from '../../../knowledge/urls/sitemap.js';
import type { SitemapReport, SkipReason } from '../../../knowledge/urls/sitemap-report.js';
import { isVideoUrl } from '../../../knowledge/urls/video-url.js';
import type { JobRow, TaskRow } from '../../../ports/store/rows.js';
import type { ReadSitemapPayload } from '../../../tasks/types/read-sitemap.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { storageIsFull } from '../knowledge/storage-allowance.js';
import type { SucceededEvent } from '../messages.js';
import {
  crawlTask,
  type JobOrigin,
  languageOf,
  newJob,
  newTasks,
  openJob,
  sitemapTask,
} from './job-opening.js';
import { failedWith, progress, type TaskEnd } from './job-progress.js';

/** Maximum number of tasks that one turn creates. */
const PAGES_PER_TURN = 100;

export const indexSitemap: Handler<'indexSitemap'> = async (context, { url, limit, requestId }) => {
  if (await storageIsFull(context)) throw new ApiError('QUOTA_STORAGE_LIMIT');
  return { job: await openSitemap(context, { url, limit }, { requestId }) };
};

const openSitemap = (
  context: AgentTurnContext,
  { url, limit }: ReadSitemapPayload,
  made: Omit<JobOrigin, 'type'>,
): Promise<JobRow> => openJob(context, { ...made, type: 'index_sitemap', tasks: [sitemapTask(url, limit)] });

/** Stores the report of a sitemap and creates the first tasks of its pages. */
async function keepSitemap(
  context: AgentTurnContext,
  task: TaskRow,
  result: SucceededEvent['outcome'],
): Promise<TaskEnd> {
  if (result.kind !== 'extracted') return failedWith('TASK_FAILED');
  const { text, metadata } = result.extraction;
  const { turn, rules } = context;
  const { limit } = task.payload as ReadSitemapPayload;
  const listed = text.split('\n', limit).filter(Boolean);
  const { features } = rules.entitlementsOf(await turn.workspaceNow());
  const isLeftOut = (url: string): boolean => !features.videoTranscription && isVideoUrl(url);
  const videos = listed.filter(isLeftOut);
  const pages = listed.filter((url) => !isLeftOut(url));
  const report = withSkipped({ ...(metadata as unknown as SitemapReport), added: 0 }, 'not_in_plan', videos);
  await turn.jobs.keepSitemap(task.jobId, { report, pages });
  await planPages(context, task.jobId, pages.length, task.id);
  return { status: 'completed', documentId: null };
}

export const sitemapResults = { keep: keepSitemap };

/** Creates the first tasks. `mark`: value of `openedUpTo` if more pages need tasks. */
async function planPages(
  { turn }: AgentTurnContext,
  jobId: number,
  count: number,
  mark: string,
): Promise<void> {
  const job = await turn.jobs.job(jobId);
  if (!job || count === 0) return;
  await turn.jobs.updateJob(jobId, {
    tasksCount: job.tasksCount + count,
    tasksToCome: count,
    openedUpTo: mark,
  });
}

const withSkipped = (report: SitemapReport, reason: SkipReason, urls: string[]): SitemapReport => ({
  ...report,
  skipped: skipping(report.skipped, reason, urls),
});

/** Creates the next tasks of pages. Pages beyond the allowance get no task, and are subtracted from the job's total. */
export async function writePageTasks(context: AgentTurnContext, job: JobRow): Promise<void> {
  const { turn } = context;
  const { report, pages } = (await turn.jobs.sitemap(job.id)) ?? { report: null, pages: [] };
  if (report === null || (await storageIsFull(context))) {
    if (report)
      await turn.jobs.keepSitemap(job.id, { report: withSkipped(report, 'storage_full', pages), pages: [] });
    const tasksCount = job.tasksCount - job.tasksToCome;
    await progress(context, job, { tasksToCome: 0, openedUpTo: null, tasksCount });
    return;
  }
  const language = await languageOf(context);
  const [piece, rest] = [pages.slice(0, PAGES_PER_TURN), pages.slice(PAGES_PER_TURN)];
  await turn.jobs.addTasks(
    job.id,
    newTasks(
      context,
      job,
      piece.map((url) => crawlTask(url, null, language)),
    ),
  );
  await turn.jobs.keepSitemap(job.id, {
    report: { ...report, added: report.added + piece.length },
    pages: rest,
  });
  await turn.jobs.updateJob(job.id, {
    tasksToCome: rest.length,
    openedUpTo: rest.length === 0 ? null : job.openedUpTo,
  });
}

/** Retries what failed in the job: the sitemap or the pages. */
export async function renewSitemap(
  context: AgentTurnContext,
  failed: JobRow,
  requestId: string | null,
): Promise<JobRow | null> {
  const { turn } = context;
  const tasks = await turn.jobs.failedTasks(failed.id, null, failed.tasksFailed);
  const made = { requestId, retryOf: failed.id };
  const unread = tasks.find(({ type }) => type === 'read_sitemap');
  if (unread) return openSitemap(context, unread.payload as ReadSitemapPayload, made);
  const sitemap = await turn.jobs.sitemap(failed.id);
  const [first] = tasks;
  if (!sitemap || !first) return null;
  if (await storageIsFull(context)) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const pages = tasks.map(({ target }) => target);
  const job = await turn.jobs.insert(newJob(context, { ...made, type: 'index_sitemap' }), []);
  const report = { ...sitemap.report, added: 0, skipped: [] };
  await turn.jobs.keepSitemap(job.id, { report, pages });
  await planPages(context, job.id, pages.length, first.id);
  return turn.jobs.job(job.id);
}
