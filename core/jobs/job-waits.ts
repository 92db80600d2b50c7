import { setTimeout as sleep } from 'node:timers/promises';
import { overloaded } from '../errors/api-error.js';
import type { Log } from '../ports/log.port.js';
import type { AgentReads } from '../ports/store/agent-reads.js';
import type { AgentState, JobRow } from '../ports/store/rows.js';
import { limits } from '../schemas/limits.js';
import { aside } from '../tracing/trail.js';

interface Patience {
  seconds: number;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
}

/**
 * Waits for the end of jobs, whichever process ends them. A wait also resolves when its time is over, its
 * client is gone, or this process stops.
 */
export interface JobWaits {
  /** Throws 503 when too many wait already, of all or of the workspace. */
  jobEnds(job: Pick<JobRow, 'id' | 'workspaceId'>, patience: Patience): Promise<void>;
  /** Until the agent has no open job; throws as `jobEnds`. */
  trainingEnds(agent: Pick<AgentState, 'id' | 'workspaceId'>, patience: Patience): Promise<void>;
  /** From now on nobody waits. */
  end(): void;
}

interface Waiter {
  workspaceId: string;
  /** A job, or an agent with all its jobs. */
  for: number | string;
  go: () => void;
}

class TooManyWait extends Error {
  override name = 'TooManyWait';
}

const LOOK_MS = 250;

/** However many wait, the database is asked twice in a quarter of a second at most. */
export function createJobWaits(reads: Pick<AgentReads, 'openJobs' | 'agentsInTraining'>, log: Log): JobWaits {
  const waiting = new Set<Waiter>();
  let looking = false;
  let ended = false;

  async function look(): Promise<void> {
    const asked = [...waiting];
    const wanted = [...new Set(asked.map((waiter) => waiter.for))];
    const [jobs, agents] = await Promise.all([
      reads.openJobs(wanted.filter((id) => typeof id === 'number')),
      reads.agentsInTraining(wanted.filter((id) => typeof id === 'string')),
    ]);
    const open = new Set<number | string>([...jobs, ...agents]);
    for (const waiter of asked) if (!open.has(waiter.for)) waiter.go();
  }

  async function lookWhileSomeoneWaits(): Promise<void> {
    if (looking) return;
    looking = true;
    while (waiting.size > 0) {
      await sleep(LOOK_MS, undefined, { ref: false });
      // A database that is away for a moment: those who wait have their own end.
      await look().catch((cause: unknown) =>
        log.debug({ err: cause }, 'could not see which jobs have ended'),
      );
    }
    looking = false;
  }

  function wait(workspaceId: string, id: number | string, { seconds, signal }: Patience): Promise<void> {
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
      void aside(lookWhileSomeoneWaits);
    });
  }

  return {
    jobEnds: ({ id, workspaceId }, patience) => wait(workspaceId, id, patience),
    trainingEnds: ({ id, workspaceId }, patience) => wait(workspaceId, id, patience),
    end() {
      ended = true;
      for (const { go } of [...waiting]) go();
    },
  };
}
