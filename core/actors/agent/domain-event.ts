import type { JobStatus, JobType } from '../../tasks/job-types.js';
import type { TaskType } from '../../tasks/task-types.js';

/** An event for metrics, reported after the turn has committed. */
export type DomainEvent =
  /** A worker has taken an attempt. `waitedMs`: time in the queue. */
  | { kind: 'attemptTaken'; type: TaskType; waitedMs: number }
  /** A running attempt missed its heartbeat. */
  | { kind: 'leaseExpired'; type: TaskType }
  /** A job has ended. `seconds`: time since its creation. */
  | { kind: 'jobEnded'; type: JobType; status: JobStatus; seconds: number };
