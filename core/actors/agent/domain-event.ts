import type { JobStatus, JobType } from '../../tasks/job-types.js';
import type { TaskType } from '../../tasks/task-types.js';

/** What a turn did that operators count. Reported once the turn has committed. */
export type DomainEvent =
  /** A worker has taken an attempt after it waited so long in the queue, in milliseconds. */
  | { kind: 'attemptTaken'; type: TaskType; waitedMs: number }
  /** Nothing was heard of a running attempt for a whole lease. */
  | { kind: 'leaseExpired'; type: TaskType }
  /** A job is over, so many seconds after it was made. */
  | { kind: 'jobEnded'; type: JobType; status: JobStatus; seconds: number };
