import { messageSchemas } from '../webhooks/webhook-messages.schema.js';
import { exampleOf } from './examples.js';
import { JSON_TYPE } from './responses.js';
import { type Json, plain } from './schemas.js';

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const headers = [
  header(
    'webhook-id',
    'Id of the message, the same in every attempt. Use it to detect duplicates',
    '01a1f2c4-5a33-7e0b-9b1e-0b8a5f0c2d11',
  ),
  header('webhook-timestamp', 'Time of the attempt, Unix seconds. Refuse old timestamps', '1795312815'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` with the secret, in base64. Several signatures are separated by spaces',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** Describes the messages to webhooks, and adds the schemas that they use to `schemas`. */
export const webhookMessages = (schemas: Json): Json =>
  Object.fromEntries(
    messageSchemas.map(({ type, meaning, name, schema }) => [
      type,
      {
        post: {
          operationId: `receive${name}`,
          summary: `Receive \`${type}\``,
          description: `${meaning}. Verify the signature before you use the body. Respond within 15 seconds, and do longer work afterwards.`,
          tags: ['webhooks'],
          security: [],
          parameters: headers,
          requestBody: {
            required: true,
            description: 'One JSON object',
            content: { [JSON_TYPE]: { schema: plain(schema, schemas), example: exampleOf(schema) } },
          },
          responses: {
            '2XX': { description: 'Delivered' },
            410: { description: 'Disables the webhook' },
            default: { description: 'The message is sent again, for up to a day' },
          },
        },
      },
    ]),
  );
