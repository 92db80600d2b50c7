import { seconds } from '../core/ports/clock.port.js';
import type { JobRow } from '../core/ports/store/rows.js';
import { AgentGone } from '../core/ports/store/store-errors.js';
import { audited } from './audited.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { ownAgents } from './own-agents.js';

/** Cancels the open tasks of a job and returns the job. Throws JOB_NOT_FOUND if its agent was deleted. */
export async function cancelJob(
  installation: Installation,
  { id, agentId, workspaceId }: JobRow,
): Promise<JobRow> {
  try {
    const job = await audited(installation, { action: 'cancelJob', workspaceId, agentId }, async () => {
      const copy = await installation.store.copies.cancel(agentId, id, seconds(installation.clock.now()));
      if (copy) return copy;
      return (await ownAgents(installation).send(agentId, { kind: 'cancelJob', jobId: id })).job;
    });
    if (job) return job;
  } catch (error) {
    if (!(error instanceof AgentGone)) throw error;
  }
  throw new CliError('JOB_NOT_FOUND', `Job ${id} was deleted with its agent.`);
}
