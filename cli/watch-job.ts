import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import type { JobRow, TaskRow } from '../core/ports/store.port.js';

interface Watched {
  job: JobRow;
  tasks: TaskRow[];
}

const POLL_MS = 300;

/** Looks until the job has ended; with a progress bar for a person at a terminal. */
export async function watchJob(look: () => Promise<Watched>, { bar }: { bar: boolean }): Promise<Watched> {
  const progress = bar
    ? new SingleBar(
        { format: '{bar} {value}/{total} tasks, {failed} failed', stream: process.stderr },
        Presets.shades_classic,
      )
    : null;
  let seen = await look();
  progress?.start(seen.job.tasksCount, seen.job.tasksEnded, { failed: seen.job.tasksFailed });
  while (seen.job.finishedAt === null) {
    await sleep(POLL_MS);
    seen = await look();
    progress?.update(seen.job.tasksEnded, { failed: seen.job.tasksFailed });
  }
  progress?.stop();
  return seen;
}
