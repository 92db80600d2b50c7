import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { nullable, unixSeconds } from '../../schemas/shapes.js';
import { userId } from '../../schemas/user-id.js';

export const visitorBody = Type.Object(
  {
    origin: Type.String({
      format: 'page-origin',
      description: 'Origin of the page that embeds the widget; `null` if it has none, as for a local file',
    }),
    renewal: Type.Optional(
      Type.String({ description: '`renewal` of an earlier response. Proves that the visitor is the same' }),
    ),
    identity: Type.Optional(
      Type.String({
        maxLength: limits.visitors.identityBytes,
        description: "JWT in which the site's server names its user",
      }),
    ),
  },
  { $id: 'VisitorRequest' },
);

export const chatTokenBody = Type.Object({ userId }, { $id: 'ChatTokenRequest' });

export const chatTokenSchema = Type.Object(
  {
    token: Type.String({ description: 'Bearer token for a browser' }),
    expiresAt: unixSeconds('End of the token'),
  },
  { $id: 'ChatToken' },
);

export const identitySecretStatus = Type.Object(
  {
    enabled: Type.Boolean(),
    createdAt: nullable(unixSeconds('When the secret was created')),
    previousUntil: nullable(unixSeconds('Until when the previous secret is also valid')),
  },
  { $id: 'IdentitySecretStatus' },
);

export const identitySecretSchema = Type.Object(
  { secret: Type.String({ description: 'Shown only once' }) },
  { $id: 'IdentitySecret' },
);
