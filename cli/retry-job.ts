import { ApiError } from '../core/errors/api-error.js';
import { isVideoUrl } from '../core/knowledge/video-url.js';
import type { Operations } from '../core/ports/store/operations.js';
import type { JobRow, TaskRow } from '../core/ports/store/rows.js';
import { AgentGone } from '../core/ports/store/store-errors.js';
import type { CrawlPagePayload, TaskType } from '../core/tasks/task-types.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { entitlementsIn, ownAgents } from './own-agents.js';

export interface Refused {
  target: string;
  reason: string;
}

/**
 * Submits the failed pages of a job again, as turns of the agent in this process; the running server's outbox sweep publishes
 * what they admit. `refused` holds failed tasks that cannot run again. Throws NOTHING_TO_RETRY when that is all of them.
 */
export async function retryJob(
  installation: Installation,
  job: JobRow,
): Promise<{ jobIds: string[]; refused: Refused[] }> {
  if (job.tasksFailed === 0)
    throw new CliError('NOTHING_TO_RETRY', `No task of job ${job.id} has failed: the job is ${job.status}.`);
  const submit = submitter(installation, job, () => `cli-retry:${job.id}`);
  const jobIds: string[] = [];
  const refused: Refused[] = [];
  for await (const task of failedTasks(installation.store.operations, job.id)) {
    const answer = await submit(task);
    if ('jobId' in answer) jobIds.push(answer.jobId);
    else refused.push({ target: task.target, reason: answer.reason });
  }
  if (jobIds.length > 0) return { jobIds, refused };
  const reasons = refused.map(({ target, reason }) => `${target} (${reason})`);
  const why = reasons.length === 0 ? 'its agent was deleted' : reasons.join(', ');
  throw new CliError('NOTHING_TO_RETRY', `No task of job ${job.id} can run again: ${why}.`);
}

const PAGE = 500;

async function* failedTasks({ tasks }: Operations, jobId: number): AsyncGenerator<TaskRow> {
  for (let after: string | null = null; ; ) {
    const rows: TaskRow[] = await tasks(jobId, ['failed'], { limit: PAGE, after });
    yield* rows.slice(0, PAGE);
    if (rows.length <= PAGE) return;
    after = rows[PAGE - 1]?.id ?? null;
  }
}

/** Why a failed task of another type than `crawl_page` cannot run again. */
const refusals: Partial<Record<TaskType, string>> = {
  parse_file: 'a failed file is deleted from storage; upload it again',
};

/** Runs one failed task again as a new job, or says why it cannot. */
export function submitter(
  installation: Installation,
  job: Pick<JobRow, 'agentId' | 'workspaceId'>,
  requestIdOf: (task: TaskRow) => string,
) {
  const { store } = installation;
  const entitlementsOf = entitlementsIn(installation);
  const agents = ownAgents(installation);

  async function allowsVideo(): Promise<boolean> {
    const workspace = await store.workspaces.find(job.workspaceId);
    return workspace !== null && entitlementsOf(workspace).features.videoTranscription;
  }

  return async (task: TaskRow): Promise<{ jobId: string } | { reason: string }> => {
    if (task.type !== 'crawl_page')
      return { reason: refusals[task.type] ?? `a task of the type ${task.type} cannot be submitted again` };
    // A retrain renews; what was deleted meanwhile stays deleted.
    if (task.isRetrain && !(await store.reads.document(job.agentId, task.documentId ?? '')))
      return { reason: 'its source was deleted' };
    const { url } = task.payload as CrawlPagePayload;
    if (isVideoUrl(url) && !(await allowsVideo()))
      return { reason: 'the plan does not include video transcription' };
    try {
      const message = { kind: 'indexUrl' as const, url, requestId: requestIdOf(task) };
      const { job: next } = await agents.ask(job.agentId, message);
      return { jobId: String(next.id) };
    } catch (error) {
      if (error instanceof AgentGone) return { reason: 'its agent was deleted' };
      if (error instanceof ApiError) return { reason: error.message };
      throw error;
    }
  };
}
