import type { TaskRow, TaskStatus, TracedTask } from '../../../core/ports/store/rows.js';
import type { FailureCode } from '../../../core/tasks/failures.js';
import type { JobTaskType, TaskPayloads } from '../../../core/tasks/task-types.js';
import type { TaskProgress } from '../../../core/tasks/wire.js';
import type { Row } from '../database/connection.js';
import { bigint, flag, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const tasks = table('tasks', {
  id: primary(uuid),
  jobId: bigint,
  agentId: uuid,
  type: text<JobTaskType>(),
  target: text(),
  payload: json<TaskPayloads[JobTaskType]>(),
  documentId: orNull(uuid),
  isRetrain: flag,
  status: text<TaskStatus>(),
  attempts: integer,
  dueAtMs: bigint,
  leaseUntilMs: orNull(bigint),
  published: flag,
  errorCode: orNull(text<FailureCode>()),
  errorMessage: orNull(text()),
  pageKey: orNull(text()),
  follows: orNull(uuid),
  progress: orNull(json<TaskProgress>()),
});

const MOST_OF_A_MESSAGE = 1000;

/** A task with its page and its leader, the task whose result it shares. */
export type StoredTask = TaskRow & { pageKey: string | null; follows: string | null };

export function storedTaskOf(row: Row): StoredTask {
  const { errorCode, errorMessage, ...task } = tasks.decode(row);
  return { ...task, error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' } };
}

export function taskOf(row: Row): TaskRow {
  const { pageKey: _, follows: __, ...task } = storedTaskOf(row);
  return task;
}

export const tracedTaskOf = (row: Row): TracedTask => ({
  ...taskOf(row),
  requestId: (row.request_id as string | null | undefined) ?? null,
  traceparent: (row.traceparent as string | null | undefined) ?? null,
  workspaceId: row.workspace_id as string,
});

export const taskColumns = ({ error, ...rest }: Partial<StoredTask>): Record<string, unknown> =>
  tasks.encode({
    ...rest,
    ...(error === undefined
      ? {}
      : {
          errorCode: error?.code ?? null,
          errorMessage: error?.message.slice(0, MOST_OF_A_MESSAGE) ?? null,
        }),
  });
