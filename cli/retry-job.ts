import { ApiError } from '../core/errors/api-error.js';
import { whyNoRetry } from '../core/http/jobs/jobs.presenter.js';
import { isVideoUrl } from '../core/knowledge/urls/video-url.js';
import type { JobRow, TaskRow } from '../core/ports/store/rows.js';
import { AgentGone } from '../core/ports/store/store-errors.js';
import { jobTaskTypes } from '../core/tasks/task-types.js';
import type { CrawlPagePayload } from '../core/tasks/types/crawl-page.js';
import { audited } from './audited.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { entitlementsIn, ownAgents } from './own-agents.js';

export interface Refused {
  target: string;
  reason: string;
}

/**
 * Retries the failed tasks of a job as one new job, with the same message as the API. A running server publishes the
 * tasks. Throws NOTHING_TO_RETRY.
 */
export async function retryJob(
  installation: Installation,
  { id, agentId, workspaceId }: JobRow,
): Promise<{ jobIds: string[] }> {
  const nothing = (why: string) =>
    new CliError('NOTHING_TO_RETRY', `No task of job ${id} can run again: ${why}.`);
  const message = { kind: 'retryJob', jobId: id, requestId: `cli-retry:${id}` } as const;
  const { failed, job } = await audited(installation, { action: 'retryJob', workspaceId, agentId }, () =>
    ownAgents(installation).send(agentId, message),
  ).catch((error: unknown) => {
    if (error instanceof AgentGone) throw nothing('its agent was deleted');
    if (error instanceof ApiError) throw nothing(reasonOf(error));
    throw error;
  });
  if (job) return { jobIds: [String(job.id)] };
  throw nothing(whyNoRetry(failed).replace(/\.$/, ''));
}

/** Returns the reason without field names, because the fields of the API's request are options here. */
function reasonOf({ message, details }: ApiError): string {
  const [fields] = Object.values(details?.fieldErrors ?? {});
  return (fields === undefined ? message : `the job ${fields[0]}`).replace(/\.$/, '');
}

/** Returns a function that runs a failed task again as a new job, or returns why this is impossible. */
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
    if (task.type !== 'crawl_page') {
      const { noRetry } = jobTaskTypes[task.type];
      const why = noRetry ?? `A task of the type ${task.type} cannot be submitted again.`;
      return { reason: why.replace(/\.$/, '') };
    }
    // A retrain does not restore a deleted document.
    if (task.isRetrain && !(await store.reads.document(job.agentId, task.documentId ?? '')))
      return { reason: 'its source was deleted' };
    const { url } = task.payload as CrawlPagePayload;
    if (isVideoUrl(url) && !(await allowsVideo()))
      return { reason: 'the plan does not include video transcription' };
    try {
      const message = { kind: 'indexUrl' as const, url, requestId: requestIdOf(task) };
      const { workspaceId, agentId } = job;
      const { job: next } = await audited(installation, { action: 'retryJob', workspaceId, agentId }, () =>
        agents.send(job.agentId, message),
      );
      return { jobId: String(next.id) };
    } catch (error) {
      if (error instanceof AgentGone) return { reason: 'its agent was deleted' };
      if (error instanceof ApiError) return { reason: error.message };
      throw error;
    }
  };
}
