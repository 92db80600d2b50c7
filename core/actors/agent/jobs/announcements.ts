import { seconds } from '../../../ports/clock.port.js';
import type { JobRow, TaskRow } from '../../../ports/store/rows.js';
import type { Counted } from '../../../ports/store/workspaces.js';
import { limits } from '../../../schemas/limits.js';
import { quotaNear } from '../../../webhooks/quota-near.js';
import type { AgentTurnContext } from '../handler.js';
import { jobSummary } from './job-summary.js';

/* Webhook events, announced in the turn that causes them. */

/** Returns whether no client has requested the job. */
const isOurs = ({ type }: JobRow): boolean => type === 'embed';

export function announceJobEnd({ turn, rules }: AgentTurnContext, job: JobRow): void {
  if (isOurs(job) || (job.status !== 'completed' && job.status !== 'failed')) return;
  turn.announce({
    type: job.status === 'failed' ? 'job.failed' : 'job.completed',
    at: seconds(rules.clock.now()),
    data: {
      agentId: job.agentId,
      job: jobSummary(job),
    },
  });
}

export function announceFailure(
  { turn, rules }: AgentTurnContext,
  task: TaskRow,
  job: JobRow,
  error: NonNullable<TaskRow['error']>,
): void {
  // Announce only the first failures. The event of the job's end contains their total.
  if (isOurs(job) || job.tasksFailed >= limits.webhooks.failuresOfJob) return;
  const { code, message } = error;
  turn.announce({
    type: 'source.failed',
    at: seconds(rules.clock.now()),
    data: {
      agentId: task.agentId,
      jobId: String(job.id),
      taskId: task.id,
      target: task.target,
      documentId: task.documentId,
      error: { code, message },
    },
  });
}

export function announceStorage({ turn, rules }: AgentTurnContext, counted: Counted): void {
  const event = quotaNear('storageBytes', counted, seconds(rules.clock.now()));
  if (event) turn.announce(event);
}
