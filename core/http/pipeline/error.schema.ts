import { Type } from '@sinclair/typebox';
import { responseErrorCodes } from '../../errors/catalogue.js';
import { channelFailureCodes } from '../../errors/channel-failures.js';
import { keyScopes } from '../../schemas/key-scopes.js';
import { roles } from '../../schemas/permissions.js';
import { nullable, oneOf } from '../../schemas/shapes.js';

/** Body of every error response. */
export const errorBody = Type.Object(
  {
    error: Type.Object({
      code: oneOf(responseErrorCodes, { description: 'Code of the error, stable. Clients can rely on it' }),
      message: Type.String({ description: 'Text for people; may change' }),
      details: Type.Optional(
        Type.Object({
          fieldErrors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
          required: Type.Optional(
            oneOf([...keyScopes, ...roles, 'twoFactor'], {
              description: 'Scope that an API key needs, or lowest role of a member',
            }),
          ),
          code: Type.Optional(
            oneOf(channelFailureCodes, {
              description: 'Social channel: code of the reason why a sync failed; stable',
            }),
          ),
          http_status: Type.Optional(
            nullable(Type.Integer({ description: "HTTP status of the platform's response" })),
          ),
          upstream_code: Type.Optional(nullable(Type.Integer({ description: 'Error code of the platform' }))),
          reason: Type.Optional(
            Type.String({ description: 'Chat: code of the reason why there is no answer; stable' }),
          ),
        }),
      ),
    }),
  },
  { $id: 'Error' },
);
