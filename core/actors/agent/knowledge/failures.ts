import { ApiError, invalidField } from '../../../errors/api-error.js';
import type { Handler } from '../handler.js';
import { submitUrl } from './sources.js';

export const retryFailure: Handler<'retryFailure'> = async (context, { failureId, requestId }) => {
  const failure = await context.turn.failures.find(failureId);
  if (!failure) throw new ApiError('RESOURCE_NOT_FOUND');
  if (failure.url === null) throw invalidField('id', 'is a file that is no longer stored: upload it again');
  return { job: await submitUrl(context, failure.url, { requestId }) };
};

export const deleteFailure: Handler<'deleteFailure'> = async ({ turn }, { failureId }) => {
  if (!(await turn.failures.find(failureId))) throw new ApiError('RESOURCE_NOT_FOUND');
  await turn.failures.remove(failureId);
  return null;
};
