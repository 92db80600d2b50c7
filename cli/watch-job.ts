import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { systemClock } from '../core/ports/clock.port.js';
import type { Operations } from '../core/ports/store/operations.js';
import type { JobRow } from '../core/ports/store/rows.js';
import type { Output } from './output.js';

const POLL_MS = 300;
/** Longer than a running server needs to start waiting tasks, in milliseconds. */
const QUIET_MS = 20_000;

interface Progress {
  show(job: JobRow): void;
  stop(): void;
}

/** Polls until the job has ended. Shows a progress bar at a terminal, otherwise a line for each change. */
export async function watchJob(operations: Operations, job: JobRow, out: Output): Promise<void> {
  const progress = process.stderr.isTTY && !out.json ? bar(job) : lines(out);
  let seen: JobRow | undefined = job;
  let changedAt = systemClock.now();
  let warned = false;
  try {
    while (seen && seen.finishedAt === null) {
      progress.show(seen);
      if (!warned && systemClock.now() - changedAt > QUIET_MS) {
        out.note('Nothing is happening. Run `doctor` to check that a server and a worker are running.');
        warned = true;
      }
      await sleep(POLL_MS);
      const next = await jobRow(operations, job.id);
      if (next && stateOf(next) !== stateOf(seen)) changedAt = systemClock.now();
      seen = next;
    }
    if (seen) progress.show(seen);
  } finally {
    progress.stop();
  }
}

/** Reads the job without its tasks, of which there may be thousands. */
async function jobRow(operations: Operations, jobId: number): Promise<JobRow | undefined> {
  const [row] = await operations.jobs({}, { limit: 1, before: String(jobId + 1) });
  return row?.id === jobId ? row : undefined;
}

const stateOf = ({ id, status, tasksEnded, tasksCount, tasksFailed }: JobRow): string =>
  `job ${id} ${status}: ${tasksEnded} of ${tasksCount} tasks ended, ${tasksFailed} failed`;

function bar({ tasksCount, tasksEnded, tasksFailed }: JobRow): Progress {
  const format = '{bar} {value}/{total} tasks, {failed} failed';
  const progress = new SingleBar({ format, stream: process.stderr }, Presets.shades_classic);
  progress.start(tasksCount, tasksEnded, { failed: tasksFailed });
  return {
    show: (job) => progress.update(job.tasksEnded, { failed: job.tasksFailed }),
    stop: () => progress.stop(),
  };
}

function lines(out: Output): Progress {
  let last = '';
  return {
    show(job) {
      const state = stateOf(job);
      if (state !== last) out.note(state);
      last = state;
    },
    stop() {},
  };
}
