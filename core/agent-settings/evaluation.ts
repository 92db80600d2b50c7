import { Type } from '@sinclair/typebox';
import { settingsGroup } from './settings-group.js';

const flag = Type.Boolean({
  description: 'Ask the kept questions after every job that has read pages or files',
});

export const evaluation = settingsGroup({
  path: 'evaluation',
  extension: true,
  key: 'evaluation',
  name: 'evaluation',
  operation: 'Evaluation',
  about:
    'Whether the agent is evaluated with its kept questions after it has been trained. Jobs that end within ten seconds share an evaluation.',
  fields: { afterTraining: Type.Optional(flag) },
  body: Type.Object({ afterTraining: flag }),
});
