import { Type } from '@sinclair/typebox';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

const statuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

const job = {
  id: Type.String(),
  type: oneOf(['index_url', 'index_files', 'retrain']),
  status: oneOf(statuses),
  isRetrain: Type.Boolean(),
  tasksCount: Type.Integer({ minimum: 0 }),
  tasksCompletedCount: Type.Integer({
    minimum: 0,
    description: 'Tasks that have ended, whatever the outcome',
  }),
  tasksFailedCount: Type.Integer({ minimum: 0 }),
  createdAt: unixSeconds('Creation'),
  startedAt: nullable(unixSeconds('First attempt')),
  finishedAt: nullable(unixSeconds('End')),
};

export const taskSchema = Type.Object(
  {
    id: uuid('Task id'),
    target: Type.String({ description: 'URL or file name' }),
    status: oneOf(statuses),
    attempts: Type.Integer({ minimum: 0 }),
    documentId: nullable(Type.String()),
    lastError: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'Task' },
);

export const listedJobSchema = Type.Object(job, { $id: 'ListedJob' });
export const jobListSchema = listOf(listedJobSchema, 'JobList');
export const jobSchema = Type.Object(
  { ...job, tasks: Type.Array(taskSchema, { description: 'The first 100; `/tasks` lists all of them' }) },
  { $id: 'Job' },
);
export const listJobsQuery = Type.Object(pageQuery, { $id: 'ListJobsQuery' });
export const taskListSchema = listOf(taskSchema, 'TaskList');
export const listTasksQuery = Type.Object(
  { ...pageQuery, status: Type.Optional(oneOf(statuses)) },
  { $id: 'ListTasksQuery' },
);
