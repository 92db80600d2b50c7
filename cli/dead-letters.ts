import type { PageRequest } from '../core/ports/store/pages.js';
import type { TaskRow } from '../core/ports/store/rows.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { type Refused, submitter } from './retry-job.js';

/** A task that the queue gave up, because its workers crashed or returned it too often. */
export interface DeadLetter {
  task: TaskRow & { workspaceId: string };
  /** Id of the job that runs it again; null if it was not redriven. */
  redrivenAs: string | null;
}

export interface DeadLetterFilter {
  jobId?: number;
  agentId?: string;
}

const PAGE = 500;

/**
 * Returns the request id of the redrive, so that each dead letter is redriven only once. Clients cannot send a request
 * id with a colon.
 */
const requestIdOf = ({ id }: TaskRow): string => `redrive:${id}`;

const byAgent = <T extends TaskRow>(tasks: T[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const task of tasks) groups.set(task.agentId, [...(groups.get(task.agentId) ?? []), task]);
  return groups;
};

/** Returns dead letters, newest first. */
export async function deadLetters(
  { store }: Installation,
  filter: DeadLetterFilter,
  page: PageRequest,
): Promise<DeadLetter[]> {
  const tasks = await store.operations.deadLetters(filter, page);
  const redriven = new Map<string, number>();
  for (const [agentId, letters] of byAgent(tasks)) {
    const made = await store.operations.jobsOfRequests(agentId, letters.map(requestIdOf));
    for (const [requestId, jobId] of made) redriven.set(requestId, jobId);
  }
  return tasks.map((task) => ({ task, redrivenAs: redriven.get(requestIdOf(task))?.toString() ?? null }));
}

/**
 * Submits the pages of all matching dead letters again, each as a new job. `refused` lists the pages that cannot run
 * again. Throws NOTHING_TO_RETRY if no page could be submitted.
 */
export async function redrive(
  installation: Installation,
  filter: DeadLetterFilter,
): Promise<{ jobIds: string[]; refused: Refused[] }> {
  const jobIds: string[] = [];
  const refused: Refused[] = [];
  for (let before: string | null = null; ; ) {
    const letters: DeadLetter[] = await deadLetters(installation, filter, { limit: PAGE, before });
    for (const { task, redrivenAs } of letters) {
      if (redrivenAs !== null) continue;
      const submitted = await submitter(installation, task, requestIdOf)(task);
      if ('jobId' in submitted) jobIds.push(submitted.jobId);
      else refused.push({ target: task.target, reason: submitted.reason });
    }
    if (letters.length < PAGE) break;
    before = letters.at(-1)?.task.id ?? null;
  }
  if (jobIds.length > 0) return { jobIds, refused };
  const reasons = refused.map(({ target, reason }) => `${target} (${reason})`).join(', ');
  throw new CliError(
    'NOTHING_TO_RETRY',
    refused.length === 0
      ? 'Every dead letter has already been redriven.'
      : `No dead letter can run again: ${reasons}.`,
  );
}
