import { Type } from '@sinclair/typebox';
import type { KeyCreator } from '../../ports/store/workspaces.js';
import { keyScopes } from '../../schemas/key-scopes.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

const { name: nameLimits, agents, expiryYears } = limits.keys;

const name = Type.String({
  trim: true,
  minLength: nameLimits.min,
  maxLength: nameLimits.max,
  examples: ['Reports'],
});
const scope = oneOf(keyScopes, {
  description:
    '`full`: all operations. `read`: `search`, and every GET except for keys, webhooks, members and the audit log. `chat`: `search`, answers, feedback and conversations, and the agent without its settings',
  examples: ['read'],
});
const agentIds = (description: string) =>
  Type.Array(uuid('Agent id'), { minItems: agents.min, maxItems: agents.max, description });

export const createKeyBody = Type.Object(
  {
    name,
    scope,
    agentIds: Type.Optional(
      nullable(
        agentIds(
          'Agents to which the key is limited. Defaults to all agents of the workspace, including later ones.',
        ),
      ),
    ),
    expiresAt: Type.Optional(
      nullable(
        unixSeconds(`End of the key, in the future and at most ${expiryYears} years ahead (default: never)`),
      ),
    ),
  },
  { $id: 'CreateKey' },
);

const key = {
  id: uuid('Key id'),
  name: Type.String({ examples: ['Reports'] }),
  scope,
  agentIds: nullable(
    Type.Array(uuid('Agent id'), {
      description:
        'Agents to which the key is limited; null: all. The list is empty, and the key useless, if they were deleted',
    }),
  ),
  expiresAt: nullable(unixSeconds('End of the key')),
  createdAt: unixSeconds('Creation'),
  createdBy: Type.Unsafe<KeyCreator | null>({
    anyOf: [
      Type.Object({
        type: oneOf(['user', 'key']),
        id: uuid('Id of the membership, or of the key'),
        name: Type.String(),
      }),
      { type: 'null' },
    ],
    description: 'Who created the key; null: the operator',
  }),
  lastUsedAt: nullable(unixSeconds('Last use, rounded down to the hour')),
  prefix: Type.String({
    description: 'First 8 characters of the secret, at most half of it',
    examples: ['cadre_Zt'],
  }),
  current: Type.Boolean({ description: 'Whether the request was made with this key' }),
};

const secret = Type.String({
  description: 'Send it as `Authorization: Bearer SECRET`. Shown only once',
  examples: ['cadre_Zt0hZ6tJ3mX9qLw2cV8rB1nK5sF7yD4gA0pE6uH2jQkAbCdEf'],
});

export const keySchema = Type.Object(key, { $id: 'Key' });
export const keyListSchema = listOf(keySchema, 'KeyList');
export const keyWithSecret = Type.Object({ ...key, secret }, { $id: 'KeyWithSecret' });
export const listKeysQuery = Type.Object(pageQuery, { $id: 'ListKeysQuery' });
