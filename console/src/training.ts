import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from './api/failure.js';
import { agentPath, ask, pause } from './api/request.js';
import type { Job, Training } from './api/types.js';
import { announce } from './parts/announce.js';
import { several } from './parts/figures.js';

export interface Watched {
  status: Training | null;
  /** The job that is watched, or the last one that ended meanwhile. */
  job: Job | null;
  failure: Failure | null;
  /** Goes up whenever a job has ended: what the agent knows may have changed. */
  ended: number;
  /** Looks again; at this job first, which may have ended already. */
  look: (jobId?: string) => void;
  /** Puts the report of the last job away. */
  dismiss: () => void;
}

/** The answer comes when the job has ended, or with its progress after so many seconds. */
const WAIT_SECONDS = 1;
const FAULT_MS = 3000;

export const isOver = (job: Pick<Job, 'finishedAt'>): boolean => job.finishedAt !== null;

/** The training of an agent, followed as long as it is shown. */
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
    /** Shows a job until it is over. */
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
    const keepFollowing = async (): Promise<void> => {
      while (!signal.aborted)
        try {
          return await follow();
        } catch (thrown) {
          if (signal.aborted) return;
          const problem = asFailure(thrown);
          setFailure(problem);
          if (problem.code !== null && problem.code !== 'INTERNAL_SERVER_ERROR') return;
          await pause(FAULT_MS, signal).catch(() => {});
        }
    };
    void keepFollowing();
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

/** How it went, in a sentence. */
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
