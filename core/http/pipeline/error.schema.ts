import { Type } from '@sinclair/typebox';
import { responseErrorCodes } from '../../errors/catalogue.js';
import { channelFailureCodes } from '../../errors/channel-failures.js';
import { keyScopes } from '../../schemas/key-scopes.js';
import { nullable, oneOf } from '../../schemas/shapes.js';

/** Body of every error response. */
export const errorBody = Type.Object(
  {
    error: Type.Object({
      code: oneOf(responseErrorCodes, { description: 'Stable; clients code against this' }),
      message: Type.String({ description: 'For people; may change' }),
      details: Type.Optional(
        Type.Object({
          fieldErrors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
          required: Type.Optional(oneOf(keyScopes, { description: 'Scope that an API key needs' })),
          code: Type.Optional(
            oneOf(channelFailureCodes, { description: 'Social channel: why a sync failed; stable' }),
          ),
          http_status: Type.Optional(nullable(Type.Integer({ description: 'Status of the platform' }))),
          upstream_code: Type.Optional(nullable(Type.Integer({ description: 'Error code of the platform' }))),
          reason: Type.Optional(Type.String({ description: 'Chat: why there is no answer; stable' })),
        }),
      ),
    }),
  },
  { $id: 'Error' },
);
