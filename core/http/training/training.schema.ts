import { Type } from '@sinclair/typebox';
import { nullable, oneOf, unixSeconds } from '../../schemas/shapes.js';
import { wait } from '../jobs/jobs.schema.js';

const activeJobSchema = Type.Object(
  {
    id: Type.String(),
    status: oneOf(['pending', 'running']),
    tasksCount: Type.Integer({ minimum: 0 }),
    tasksCompletedCount: Type.Integer({
      minimum: 0,
      description: 'Tasks that have ended, whatever the outcome',
    }),
    createdAt: nullable(unixSeconds('Creation')),
  },
  { $id: 'ActiveJob' },
);

export const trainingStatusSchema = Type.Object(
  {
    status: oneOf(['training', 'trained', 'idle']),
    documentCount: Type.Integer({ minimum: 0 }),
    lastTrainedAt: nullable(unixSeconds('Last time that knowledge was stored')),
    activeJob: nullable(activeJobSchema),
  },
  { $id: 'TrainingStatus' },
);

export const trainingQuery = Type.Object({ wait }, { $id: 'TrainingQuery' });

const message = (example: string) => Type.String({ description: 'For people', examples: [example] });

export const retrainStarted = Type.Object(
  {
    jobId: Type.String(),
    count: Type.Integer({ minimum: 1, description: 'Pages that are being renewed' }),
    message: message('12 pages are being renewed.'),
  },
  { $id: 'RetrainStarted' },
);

export const nothingToRetrain = Type.Object(
  { jobId: Type.Null(), count: Type.Literal(0), message: message('There is no indexed page to renew.') },
  { $id: 'NothingToRetrain' },
);
