import type { TaskRow, TaskStatus, TracedTask } from '../../../core/ports/store/rows.js';
import type { FailureCode } from '../../../core/tasks/failures.js';
import type { TaskPayloads, TaskType } from '../../../core/tasks/task-types.js';
import type { Row } from '../connect.js';
import { bigint, flag, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const tasks = table('tasks', {
  id: primary(uuid),
  jobId: bigint,
  agentId: uuid,
  type: text<TaskType>(),
  target: text(),
  payload: json<TaskPayloads[TaskType]>(),
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
});

const MOST_OF_A_MESSAGE = 1000;

export function taskOf(row: Row): TaskRow {
  const { errorCode, errorMessage, pageKey: _, follows: __, ...task } = tasks.decode(row);
  return { ...task, error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' } };
}

export const tracedTaskOf = (row: Row): TracedTask => ({
  ...taskOf(row),
  requestId: (row.request_id as string | null | undefined) ?? null,
  workspaceId: row.workspace_id as string,
});

export const taskColumns = ({ error, ...rest }: Partial<TaskRow>): Record<string, unknown> =>
  tasks.encode({
    ...rest,
    ...(error === undefined
      ? {}
      : {
          errorCode: error?.code ?? null,
          errorMessage: error?.message.slice(0, MOST_OF_A_MESSAGE) ?? null,
        }),
  });
