import { Type } from '@sinclair/typebox';
import { settingsGroup } from './settings-group.js';

const flag = Type.Boolean();

export const training = settingsGroup({
  path: 'training',
  key: 'training',
  name: 'training',
  operation: 'Training',
  about:
    'Whether indexed pages are retrained automatically, once a day unless configured otherwise. It can only be enabled if the plan includes it.',
  fields: { autoRetrainEnabled: Type.Optional(flag) },
  body: Type.Object({ autoRetrainEnabled: flag }),
  refusals: ['SUBSCRIPTION_API_RESTRICTED_PLAN'],
  refusal: ({ autoRetrainEnabled }, { features }) =>
    autoRetrainEnabled && !features.autoRetrain ? 'SUBSCRIPTION_API_RESTRICTED_PLAN' : null,
});
