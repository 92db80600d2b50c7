import { Type } from '@sinclair/typebox';
import { nullable, oneOf, unixSeconds } from '../../schemas/shapes.js';
import { failureCodes } from '../../tasks/failures.js';
import { jobTypes } from '../../tasks/job-types.js';
import { wait } from '../jobs/jobs.schema.js';

const activeJobSchema = Type.Object(
  {
    id: Type.String(),
    status: oneOf(['pending', 'running']),
    tasksCount: Type.Integer({ minimum: 0 }),
    tasksCompletedCount: Type.Integer({
      minimum: 0,
      description: 'Ended tasks, whatever the outcome',
    }),
    createdAt: nullable(unixSeconds('Creation')),
  },
  { $id: 'ActiveJob' },
);

const failedJobSchema = Type.Object(
  {
    id: Type.String(),
    type: oneOf(jobTypes),
    status: oneOf(['failed']),
    finishedAt: nullable(unixSeconds('End')),
    tasksFailedCount: Type.Integer({ minimum: 0 }),
    lastError: nullable(
      Type.Object(
        {
          code: oneOf(failureCodes),
          message: Type.String(),
          target: Type.String({ description: 'URL or file name' }),
        },
        { description: 'Error of the last task that failed' },
      ),
    ),
  },
  {
    $id: 'FailedJob',
    description: 'The newest job whose tasks all failed; only with `include=lastFailedJob`',
  },
);

export const trainingStatusSchema = Type.Object(
  {
    status: oneOf(['training', 'trained', 'idle']),
    documentCount: Type.Integer({ minimum: 0 }),
    lastTrainedAt: nullable(unixSeconds('When a source was last stored')),
    activeJob: nullable(activeJobSchema),
    lastFailedJob: Type.Optional(nullable(failedJobSchema)),
  },
  { $id: 'TrainingStatus' },
);

export const trainingQuery = Type.Object(
  {
    wait,
    include: Type.Optional(
      oneOf(['lastFailedJob'], { description: '`lastFailedJob` adds the newest failed job' }),
    ),
  },
  { $id: 'TrainingQuery' },
);

const message = (example: string) => Type.String({ description: 'For people', examples: [example] });

export const retrainStarted = Type.Object(
  {
    jobId: Type.String(),
    count: Type.Integer({ minimum: 1, description: 'Pages to retrain' }),
    message: message('12 pages are being retrained.'),
  },
  { $id: 'RetrainStarted' },
);

export const nothingToRetrain = Type.Object(
  {
    jobId: Type.Null(),
    count: Type.Literal(0),
    message: message('There is no indexed page to retrain. Add one first.'),
  },
  { $id: 'NothingToRetrain' },
);
