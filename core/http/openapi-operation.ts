import type { TObject, TSchema } from '@sinclair/typebox';
import { limits } from '../schemas/limits.js';
import { IDEMPOTENCY_KEY } from './idempotency.js';
import { JSON_TYPE, refusals, successes } from './openapi-answers.js';
import { exampleOf } from './openapi-examples.js';
import { type Json, plain } from './openapi-schemas.js';
import type { Route } from './route.js';

const BEYOND = 'Beyond the published interface: other services that implement it do not have this.';

/** One route as an OpenAPI operation; named schemas that it uses are added to `schemas`. */
export function operation(route: Route, path: string, schemas: Json): Json {
  const [first = '', , ofAgent = first] = path.slice(1).split('/');
  const resource = first === 'agents' ? ofAgent : first;
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.extension ? `${route.description}\n\n${BEYOND}` : route.description,
    tags: [resource],
    ...(route.extension ? { 'x-extension': true } : {}),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(route.query, schemas),
      ...headerParameters(route),
    ],
    ...(route.body ? { requestBody: requestBody(route.body, schemas) } : {}),
    responses: { ...successes(route, schemas), ...refusals(route) },
  };
}

const uuid = { type: 'string', format: 'uuid' };
const number = { type: 'string', pattern: '^[1-9][0-9]*$' };

/** Ids in paths; those of conversations are checked by looking for them. */
const ids: Record<string, { description: string; schema: Json }> = {
  agentId: { description: 'Agent id', schema: uuid },
  documentId: { description: 'Document id, which is the `id` of a source', schema: uuid },
  webhookId: { description: 'Webhook id', schema: uuid },
  deliveryId: { description: 'Delivery id', schema: uuid },
  jobId: { description: 'Job id', schema: number },
  messageId: { description: 'Message id', schema: number },
  conversationId: {
    description: 'Conversation id',
    schema: { type: 'string', minLength: 1, maxLength: limits.chat.conversationId },
  },
};

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...ids[name],
    example: exampleOf(ids[name]?.schema ?? {}, name),
  }));

const headerParameters = ({ idempotent, expires, resumable }: Route): Json[] => [
  ...(idempotent
    ? [
        header(
          IDEMPOTENCY_KEY,
          expires
            ? 'The same key with the same body is the same request, for as long as the URLs of its answer work (one hour unless the installation sets another time) and at most 24 hours: it gets the same answer. After that it is a new one.'
            : 'The same key with the same body within 24 hours is the same request: it gets the same answer.',
          { minLength: 1, maxLength: 128, pattern: '^[ -~]+$' },
        ),
      ]
    : []),
  ...(resumable
    ? [header('Last-Event-ID', 'The last event that was read: the stream goes on behind it.', {})]
    : []),
];

const header = (name: string, description: string, form: Json): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...form },
});

const queryParameters = (query: TObject | undefined, schemas: Json): Json[] =>
  Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    description: schema.description,
    schema: plain(schema, schemas),
  }));

const requestBody = (body: TSchema, schemas: Json): Json => ({
  required: true,
  description: 'One JSON object',
  content: { [JSON_TYPE]: { schema: plain(body, schemas), example: exampleOf(body) } },
});
