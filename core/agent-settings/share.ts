import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { someOf } from '../schemas/shapes.js';
import { settingsGroup } from './settings-group.js';

const fields = {
  enabled: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether `/chat/{agentId}` shows the agent to everybody' }),
  ),
};

export const share = settingsGroup({
  path: 'share',
  extension: true,
  apart: true,
  key: 'share',
  name: 'share',
  operation: 'Share',
  about:
    'A page of its own for the agent, at `/chat/{agentId}`: everybody with the link may ask it. `security.allowedDomains` concerns only pages that embed the agent. A private agent has no such page.',
  fields,
  body: someOf(fields),
  conversion: {
    toSettings: (sent) => ({ share: sent as JsonObject }),
    toFields: ({ share: stored }) => (stored ?? {}) as JsonObject,
  },
});

/** Returns whether the agent has a public page. */
export const isShared = ({ share: stored }: JsonObject): boolean =>
  (stored as { enabled?: boolean } | undefined)?.enabled === true;
