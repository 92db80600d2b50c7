import type { TObject, TSchema } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { permissionOf, roles, rolesWith, scopesWith } from '../../schemas/permissions.js';
import { IDEMPOTENCY_KEY } from '../pipeline/idempotency.js';
import type { Route } from '../route.js';
import { exampleOf } from './examples.js';
import { JSON_TYPE, refusals, successes } from './responses.js';
import { type Json, plain } from './schemas.js';

const BEYOND = 'An extension of the published interface, which other implementations do not have.';

const FOR_VISITORS =
  'Also for visitor tokens. A visitor sees only its own conversations. For visitors, `metadata` has no model, usage, outcome or sources, and citations have only `sourceId`, `title` and `url`.';

/** Says which API keys and members may call the operation. */
const rightsOf = ({ permission }: Route): string => {
  const { keyScope, role, allAgents } = permissionOf(permission);
  const scopes = scopesWith(permission).map((name) => `\`${name}\``);
  const agents = allAgents ? ', for all agents' : '';
  const keys =
    keyScope === 'any'
      ? 'For API keys of any scope'
      : keyScope === null
        ? 'Not for API keys'
        : `For API keys with the scope ${scopes.join(' or ')}${agents}`;
  const members =
    rolesWith(permission).length === roles.length
      ? 'every member'
      : `members with the role \`${role}\` or higher`;
  return `${keys}; for ${members}${allAgents && keyScope === null ? agents : ''}.`;
};

/** Describes a route, and adds the named schemas that it uses to `schemas`. */
export function operation(route: Route, path: string, schemas: Json): Json {
  const { keyScope, role } = permissionOf(route.permission);
  const [first = '', , ofAgent = first] = path.slice(1).split('/');
  const resource = first === 'agents' ? ofAgent : first;
  return {
    operationId: route.id,
    summary: route.summary,
    description: [
      route.description,
      ...(route.visitors ? [FOR_VISITORS] : []),
      rightsOf(route),
      ...(route.extension ? [BEYOND] : []),
    ].join('\n\n'),
    tags: [resource],
    ...(route.extension ? { 'x-extension': true } : {}),
    'x-key-scope': keyScope,
    'x-role': role,
    ...(route.visitors ? { security: [{ apiKey: [] }, { visitorToken: [] }] } : {}),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(route.query, schemas),
      ...headerParameters(route),
    ],
    ...(route.body
      ? { requestBody: { ...requestBody(route.body, schemas), required: !route.bodyOptional } }
      : {}),
    responses: { ...successes(route, schemas), ...refusals(route) },
  };
}

const uuid = { type: 'string', format: 'uuid' };
const number = { type: 'string', pattern: '^[1-9][0-9]*$' };

/** Path parameters. Conversation ids have no pattern: a malformed id is not found (404). */
const ids: Record<string, { description: string; schema: Json }> = {
  agentId: { description: 'Agent id', schema: uuid },
  documentId: { description: 'Document id, which is the `id` of a source', schema: uuid },
  keyId: { description: 'Key id', schema: uuid },
  memberId: { description: 'Id of the membership', schema: uuid },
  automationId: { description: 'Automation id', schema: uuid },
  evaluationId: { description: 'Evaluation id', schema: uuid },
  questionId: { description: 'Id of the kept question', schema: uuid },
  webhookId: { description: 'Webhook id', schema: uuid },
  erasureId: { description: 'Erasure id', schema: uuid },
  contactId: { description: 'Contact id', schema: uuid },
  deliveryId: { description: 'Delivery id', schema: uuid },
  jobId: { description: 'Job id', schema: number },
  number: { description: 'Number of the version', schema: number },
  hash: { description: 'Hash of the picture', schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
  failureId: { description: 'Failure id', schema: uuid },
  siteId: { description: 'Site id', schema: uuid },
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
            ? 'A repeated request with the same key and body gets the same response while its URLs are valid (one hour by default), at most for 24 hours. After that, it is a new request.'
            : 'A repeated request with the same key and body gets the same response for 24 hours.',
          { minLength: 1, maxLength: 128, pattern: '^[ -~]+$' },
        ),
      ]
    : []),
  ...(resumable
    ? [
        header(
          'Last-Event-ID',
          'Id of the last event that the client has read. The stream continues after it.',
          {},
        ),
      ]
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
