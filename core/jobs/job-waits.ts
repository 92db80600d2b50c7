import { setTimeout as sleep } from 'node:timers/promises';
import { overloaded } from '../errors/api-error.js';
import type { Log } from '../ports/log.port.js';
import type { AgentReads } from '../ports/store/agents/agent-reads.js';
import type { AgentState, JobRow } from '../ports/store/rows.js';
import { limits } from '../schemas/limits.js';
import { aside } from '../tracing/trail.js';

interface WaitLimit {
  seconds: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Waits for the end of jobs, in any process. A wait also resolves at its timeout, when the client disconnects, or
 * when this process stops.
 */
export interface JobWaits {
  /**
   * Resolves when the job ends. Rejects with 503 if too many requests of all workspaces, or of this one, are waiting.
   */
  jobEnds(job: Pick<JobRow, 'id' | 'workspaceId'>, limit: WaitLimit): Promise<void>;
  /** Resolves when the agent has no open job. Rejects like `jobEnds`. */
  trainingEnds(agent: Pick<AgentState, 'id' | 'workspaceId'>, limit: WaitLimit): Promise<void>;
  /** Resolves all waits. Later waits resolve immediately. */
  end(): void;
}

interface Waiter {
  workspaceId: string;
  /** Id of a job, or of an agent. */
  for: number | string;
  go: () => void;
}

class TooManyWait extends Error {
  override name = 'TooManyWait';
}

const POLL_MS = 250;

/** Polls every 250 ms with two statements, regardless of the number of waiters. */
export function createJobWaits(reads: Pick<AgentReads, 'openJobs' | 'agentsInTraining'>, log: Log): JobWaits {
  const waiting = new Set<Waiter>();
  let isPolling = false;
  let ended = false;

  async function poll(): Promise<void> {
    const asked = [...waiting];
    const wanted = [...new Set(asked.map((waiter) => waiter.for))];
    const [jobs, agents] = await Promise.all([
      reads.openJobs(wanted.filter((id) => typeof id === 'number')),
      reads.agentsInTraining(wanted.filter((id) => typeof id === 'string')),
    ]);
    const open = new Set<number | string>([...jobs, ...agents]);
    for (const waiter of asked) if (!open.has(waiter.for)) waiter.go();
  }

  async function pollWhileWaiting(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size > 0) {
      await sleep(POLL_MS, undefined, { ref: false });
      // Keep polling if the database is unavailable: each wait has its own timeout.
      await poll().catch((cause: unknown) =>
        log.debug({ err: cause }, 'could not read which jobs have ended'),
      );
    }
    isPolling = false;
  }

  function wait(workspaceId: string, id: number | string, { seconds, signal }: WaitLimit): Promise<void> {
    if (ended || signal.aborted) return Promise.resolve();
    const own = [...waiting].filter((waiter) => waiter.workspaceId === workspaceId).length;
    if (waiting.size >= limits.wait.atOnce || own >= limits.wait.ofWorkspace)
      return Promise.reject(overloaded(new TooManyWait('too many requests wait for the end of a job')));
    return new Promise((resolve) => {
      const waiter = { workspaceId, for: id, go };
      const late = setTimeout(go, seconds * 1000);
      function go() {
        clearTimeout(late);
        signal.removeEventListener('abort', go);
        waiting.delete(waiter);
        resolve();
      }
      signal.addEventListener('abort', go);
      waiting.add(waiter);
      void aside(pollWhileWaiting);
    });
  }

  return {
    jobEnds: ({ id, workspaceId }, limit) => wait(workspaceId, id, limit),
    trainingEnds: ({ id, workspaceId }, limit) => wait(workspaceId, id, limit),
    end() {
      ended = true;
      for (const { go } of [...waiting]) go();
    },
  };
}
