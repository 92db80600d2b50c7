import { Type } from '@sinclair/typebox';
import { ApiError } from '../errors/api-error.js';
import { settingsGroup } from './settings-group.js';

const flag = Type.Boolean();

export const training = settingsGroup({
  path: 'training',
  key: 'training',
  name: 'training',
  operation: 'Training',
  fields: { autoRetrainEnabled: Type.Optional(flag) },
  body: Type.Object({ autoRetrainEnabled: flag }),
  refusals: ['SUBSCRIPTION_API_RESTRICTED_PLAN'],
  underPlan(body, { features }) {
    if (body.autoRetrainEnabled && !features.autoRetrain)
      throw new ApiError('SUBSCRIPTION_API_RESTRICTED_PLAN');
    return body;
  },
});
