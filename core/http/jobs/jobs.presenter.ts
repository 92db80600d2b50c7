import type { JobRow, TaskRow } from '../../ports/store.port.js';

export const presentListedJob = (job: JobRow) => ({
  id: String(job.id),
  type: job.type,
  status: job.status,
  isRetrain: job.isRetrain,
  tasksCount: job.tasksCount,
  tasksCompletedCount: job.tasksEnded,
  tasksFailedCount: job.tasksFailed,
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  finishedAt: job.finishedAt,
});

const presentTask = (task: TaskRow) => ({
  id: task.id,
  target: task.target,
  // On its way to a worker is still waiting, for those who wait.
  status: task.status === 'queued' ? 'pending' : task.status,
  attempts: task.attempts,
  documentId: task.documentId,
  lastError: task.error,
});

export const presentJob = (job: JobRow, tasks: TaskRow[]) => ({
  ...presentListedJob(job),
  tasks: tasks.map(presentTask),
});
