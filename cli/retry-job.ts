import { createAgents } from '../core/actors/agent/agents.js';
import { createDirectory } from '../core/actors/directory.js';
import type { CrawlPagePayload } from '../core/jobs/wire.js';
import { systemClock } from '../core/ports/clock.port.js';
import { silentLog } from '../core/ports/log.port.js';
import { AgentGone, type AgentState, type JobRow, type TaskRow } from '../core/ports/store.port.js';
import { entitlements } from '../core/workspaces/entitlements.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';

/**
 * Submits the failed pages of a job again, as turns of the agent in this process; the running server's outbox sweep publishes
 * what they admit. Throws NOTHING_TO_RETRY.
 */
export async function retryJob(
  { settings, plans, store }: Installation,
  job: JobRow,
  tasks: TaskRow[],
): Promise<{ jobIds: string[] }> {
  const failed = tasks.filter(({ status }) => status === 'failed');
  const pages = failed.filter(({ type }) => type === 'crawl_page');
  if (pages.length === 0)
    throw new CliError(
      'NOTHING_TO_RETRY',
      `Job ${job.id} has ${failed.length} failed tasks and no failed page.`,
    );
  const { jobs, actors } = settings;
  const agents = createAgents({
    directory: createDirectory<AgentState>({
      maxActive: 1,
      idleMs: actors.idleSeconds * 1000,
      mailboxCapacity: actors.mailboxCapacity,
      clock: systemClock,
    }),
    turns: store.turns,
    rules: {
      clock: systemClock,
      entitlementsOf: ({ plan, overrides }) => {
        const known = plans.get(plan);
        if (!known)
          throw new CliError('PLAN_UNKNOWN', `The workspace is on a plan "${plan}" that is not configured.`);
        return entitlements(known, overrides);
      },
      window: jobs.windowPerAgent,
      maxAttempts: jobs.maxAttempts,
      backoff: { baseMs: jobs.backoffBaseMs, maxMs: jobs.backoffMaxMs },
      leaseMs: jobs.stalledAfterSeconds * 1000,
      random: Math.random,
    },
    dispatch: () => {},
    log: silentLog,
  });
  const jobIds: string[] = [];
  for (const { payload } of pages) {
    try {
      const { url } = payload as CrawlPagePayload;
      const { job: next } = await agents.ask(job.agentId, {
        kind: 'addUrl',
        url,
        requestId: `cli-retry-${job.id}`,
      });
      jobIds.push(String(next.id));
    } catch (error) {
      if (error instanceof AgentGone)
        throw new CliError('NOTHING_TO_RETRY', 'The agent of this job was deleted.', { cause: error });
      throw error;
    }
  }
  return { jobIds };
}
