import type { TaskRow } from '../../../ports/store/rows.js';
import type { JobTaskType } from '../../../tasks/task-types.js';
import type { AgentTurnContext } from '../handler.js';
import { embedResults } from '../knowledge/embedding.js';
import type { SucceededEvent } from '../messages.js';
import { sitePageResults } from '../sites/site-page-results.js';
import { fileResults } from './file-results.js';
import type { Continuation, TaskEnd } from './job-progress.js';
import { pageResults } from './page-results.js';
import { sitemapResults } from './sitemaps.js';

interface ResultHandler {
  /**
   * Stores the result of an attempt and returns how its task ends. Null, with nothing done, if the worker
   * compared the page with content that is no longer stored.
   */
  keep(
    context: AgentTurnContext,
    task: TaskRow,
    result: SucceededEvent['outcome'],
  ): Promise<TaskEnd | Continuation | null>;
  /**
   * Handles the failure of the last attempt. A page keeps its content, a file is discarded, and vectors are requested again
   * later.
   */
  settleFailure?(
    context: AgentTurnContext,
    task: TaskRow,
    error: NonNullable<TaskRow['error']>,
  ): Promise<void>;
  /** Releases what was reserved for the task when its job is cancelled. */
  release?(context: AgentTurnContext, task: TaskRow): Promise<void>;
}

export const taskResults: Record<JobTaskType, ResultHandler> = {
  crawl_page: pageResults,
  parse_file: fileResults,
  recognise_pages: fileResults,
  read_sitemap: sitemapResults,
  read_site_page: sitePageResults,
  embed: embedResults,
};
