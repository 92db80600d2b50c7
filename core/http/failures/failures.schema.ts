import { Type } from '@sinclair/typebox';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';
import { failureCodes } from '../../tasks/failures.js';

export const listFailuresQuery = Type.Object(pageQuery, { $id: 'ListFailuresQuery' });

export const failureListSchema = listOf(
  Type.Object(
    {
      id: uuid('Id of the failure'),
      type: oneOf(['url', 'file']),
      name: Type.String({ description: 'Title of the source, or else the URL; name of the file' }),
      url: nullable(Type.String({ description: 'Pages only' })),
      code: oneOf(failureCodes),
      reason: Type.String({ description: 'What happened and what to do, for people' }),
      jobId: Type.String({ description: 'Job of the last attempt' }),
      at: unixSeconds('Time of the last attempt'),
    },
    { $id: 'SourceFailure' },
  ),
  'FailureList',
);

export const failureRetried = Type.Object({ jobId: Type.String() }, { $id: 'FailureRetried' });
