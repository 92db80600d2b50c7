import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from './api/failure.js';
import { agentPath, ask, persist } from './api/request.js';
import type { Job, Training } from './api/types.js';
import { announce } from './parts/announce.js';
import { several } from './parts/numbers.js';

export interface Watched {
  status: Training | null;
  /** The running job, or the last job that ended while the page was open. */
  job: Job | null;
  failure: Failure | null;
  /** Increases whenever a job ends, because the agent's sources may have changed. */
  ended: number;
  /** Checks for jobs now. Starts with `jobId`, which may have ended already. */
  look: (jobId?: string) => void;
  /** Hides the report of the last job. */
  dismiss: () => void;
}

/** Long-poll timeout in seconds: the API responds when the job has ended, or with its progress after this time. */
const WAIT_SECONDS = 1;

export const isOver = (job: Pick<Job, 'finishedAt'>): boolean => job.finishedAt !== null;

/** Follows the training of an agent while its page is open. */
export function useTraining(agentId: string): Watched {
  const [status, setStatus] = useState<Training | null>(null);
  const [job, setJob] = useState<Job | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [ended, setEnded] = useState(0);
  const [round, setRound] = useState(0);
  const submitted = useRef<string | undefined>(undefined);

  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    /** Follows a job until it ends. */
    const followJob = async (jobId: string): Promise<void> => {
      for (;;) {
        const path = agentPath(agentId, 'jobs', jobId);
        const followed = await ask<Job>(path, { query: { wait: WAIT_SECONDS }, signal });
        setJob(followed);
        if (!isOver(followed)) continue;
        announce(`Training has ended. ${summaryOf(followed)}`);
        setEnded((count) => count + 1);
        return;
      }
    };
    const follow = async (): Promise<void> => {
      for (;;) {
        const training = await ask<Training>(agentPath(agentId, 'train'), {
          query: { include: 'lastFailedJob' },
          signal,
        });
        setFailure(null);
        setStatus(training);
        const next = submitted.current ?? training.activeJob?.id;
        if (next === undefined) return;
        await followJob(next);
        submitted.current = undefined;
      }
    };
    persist(follow, { signal, onFailure: setFailure }).catch(() => {});
    return () => gone.abort();
  }, [agentId, round]);

  return {
    status,
    job,
    failure,
    ended,
    look: useCallback((jobId?: string) => {
      submitted.current = jobId;
      setRound((count) => count + 1);
    }, []),
    dismiss: useCallback(() => setJob(null), []),
  };
}

/** Summarises the result in a sentence. */
export function summaryOf({
  status,
  tasksCount,
  tasksCompletedCount,
  tasksFailedCount,
}: Omit<Job, 'tasks'>): string {
  if (status === 'cancelled') return 'It was cancelled.';
  if (tasksFailedCount === 0) return `${several(tasksCompletedCount, 'item')} read.`;
  return `${tasksFailedCount} of ${several(tasksCount, 'item')} could not be read.`;
}
