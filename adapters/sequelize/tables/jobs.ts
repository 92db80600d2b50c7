import type { JobRow } from '../../../core/ports/store/rows.js';
import type { JobStatus, JobType } from '../../../core/tasks/job-types.js';
import type { Row } from '../database/connection.js';
import { bigint, counted, flag, integer, orNull, text, uuid } from './column.js';
import { table } from './table.js';

export const jobs = table('jobs', {
  id: counted(bigint),
  agentId: uuid,
  workspaceId: uuid,
  type: text<JobType>(),
  isRetrain: flag,
  scheduled: flag,
  status: text<JobStatus>(),
  tasksCount: integer,
  tasksEnded: integer,
  tasksFailed: integer,
  tasksToCome: integer,
  openedUpTo: orNull(uuid),
  retryOf: orNull(bigint),
  cancelledAt: orNull(bigint),
  requestId: orNull(text()),
  traceparent: orNull(text()),
  createdAt: bigint,
  startedAt: orNull(bigint),
  finishedAt: orNull(bigint),
});

export const jobOf = (row: Row): JobRow => jobs.decode(row);
