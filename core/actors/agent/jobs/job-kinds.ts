import { videoNotAllowed } from '../../../errors/api-error.js';
import { isVideoUrl } from '../../../knowledge/urls/video-url.js';
import type { JobRow } from '../../../ports/store/rows.js';
import type { JobType } from '../../../tasks/job-types.js';
import { jobTaskTypes } from '../../../tasks/task-types.js';
import type { CrawlPagePayload } from '../../../tasks/types/crawl-page.js';
import type { AgentTurnContext } from '../handler.js';
import { submitUrl } from '../knowledge/sources.js';
import { continueReading } from '../sites/site-reading.js';
import { renewSitemap, writePageTasks } from './sitemaps.js';
import { renewFailed, writeTasks } from './training.js';

interface JobKind {
  /**
   * Opens a job for the failed tasks of this job, or returns null if no task is left. A string instead of a function is the
   * reason why such tasks cannot be retried.
   */
  retry:
    | ((context: AgentTurnContext, failed: JobRow, requestId: string | null) => Promise<JobRow | null>)
    | string;
  /** Creates the next tasks of a job; null for a type whose tasks are all created when the job is opened. */
  writeTasks: ((context: AgentTurnContext, job: JobRow) => Promise<void>) | null;
}

/** Differences between the types of jobs. */
export const jobKinds: Record<JobType, JobKind> = {
  index_url: { retry: submitAgain, writeTasks: null },
  index_files: { retry: jobTaskTypes.parse_file.noRetry, writeTasks: null },
  index_sitemap: { retry: renewSitemap, writeTasks: writePageTasks },
  index_site: { retry: jobTaskTypes.read_site_page.noRetry, writeTasks: continueReading },
  retrain: { retry: renewFailed, writeTasks },
  copy_agent: { retry: 'A copy is made as a whole: ask for another one.', writeTasks: null },
  embed: { retry: jobTaskTypes.embed.noRetry, writeTasks: null },
};

async function submitAgain(
  context: AgentTurnContext,
  failed: JobRow,
  requestId: string | null,
): Promise<JobRow | null> {
  const { turn, rules } = context;
  const [task] = await turn.jobs.failedTasks(failed.id, null, 1);
  if (!task) return null;
  const { url } = task.payload as CrawlPagePayload;
  if (isVideoUrl(url) && !rules.entitlementsOf(await turn.workspaceNow()).features.videoTranscription)
    throw videoNotAllowed();
  return submitUrl(context, url, { requestId, retryOf: failed.id });
}
