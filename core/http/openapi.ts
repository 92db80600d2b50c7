import type { TObject, TSchema } from '@sinclair/typebox';
import type { Context, Next } from 'koa';
import { overloaded } from '../errors/api-error.js';
import { type AnswerableCode, catalogue } from '../errors/catalogue.js';
import { requestIdPattern } from '../ports/request-id.js';
import { limits } from '../schemas/limits.js';
import { errorBody } from './error.schema.js';
import { IDEMPOTENCY_KEY } from './idempotency.js';
import { exampleOf } from './openapi-examples.js';
import type { Route } from './route.js';
import { staticAnswer } from './static-answer.js';

type Json = { [key: string]: unknown };

const JSON_TYPE = 'application/json';

/** What any endpoint may refuse with, before it looks at what was asked. */
const always: AnswerableCode[] = [
  'AUTH_MISSING_API_KEY',
  'AUTH_INVALID_API_KEY',
  'SUBSCRIPTION_PLAN_REQUIRED',
  'INTERNAL_SERVER_ERROR',
];

/**
 * The interface as an OpenAPI 3.1 document, made from the same routes and schemas that requests are checked with: it cannot tell
 * another story than the service. Pure.
 */
export function openApi(routes: readonly Route[]): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = { '/health': { get: health() } };
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route, path, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Management API',
      version: '2',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Characters are Unicode code points, bytes are UTF-8 bytes, timestamps are Unix seconds. Unknown fields and unknown query ' +
        `parameters are ignored. Bodies are JSON objects of at most ${limits.body.bytes} bytes and ${limits.body.values} values, not compressed. ` +
        'Operations marked `x-extension` are beyond the interface that this service implements. HEAD answers like GET without a body. Any endpoint may answer 503 with `Retry-After` under load: nothing was changed, try again.',
    },
    servers: [{ url: '/api/v2' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: { ...schemas, Error: plain(errorBody, schemas, true) },
      headers: {
        RequestId: {
          description: 'Quote it when you report a problem. A plain one that you send is echoed.',
          schema: { type: 'string', pattern: requestIdPattern },
        },
      },
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** Answers `GET /openapi.json`, without a key. */
export function serveOpenApi(routes: readonly Route[]) {
  const document = staticAnswer(Buffer.from(JSON.stringify(openApi(routes))), {
    type: 'application/json; charset=utf-8',
    caching: 'no-cache',
  });
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/openapi.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    document(ctx);
  };
}

/** Groups of operations, by the resource that their paths name. */
const tags: Record<string, string> = {
  agents: 'Agents of the workspace',
  settings: 'Settings of an agent, group by group',
  sources: 'What an agent knows: texts, questions with answers, pages, files',
  search: 'Passages that fit a question',
  train: 'The training status, and the renewal of pages',
  jobs: 'Work on pages and files, task by task',
  chat: 'Questions to an agent',
  conversations: 'What was said, and what is being said',
  workspace: 'The workspace of the key',
  webhooks: 'URLs that are notified of events, and what was sent to them',
  health: 'Whether the service answers',
};

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

const answer = (description: string, schema: unknown, example: unknown): Json => ({
  description,
  headers,
  content: { [JSON_TYPE]: { schema, example } },
});

const health = (): Json => ({
  operationId: 'getHealth',
  summary: 'Tell whether the service answers',
  tags: ['health'],
  security: [],
  responses: {
    200: answer(
      'It does',
      { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
      { status: 'ok' },
    ),
    ...refusalsOf(['VALIDATION_INVALID_BODY']),
  },
});

function operation(route: Route, path: string, schemas: Json): Json {
  const [first = '', , ofAgent = first] = path.slice(1).split('/');
  const resource = first === 'agents' ? ofAgent : first;
  return {
    operationId: route.id,
    summary: route.summary,
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

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(pathForms[name ?? ''] ?? { format: 'uuid' }) },
  }));

const integer = { pattern: '^[1-9][0-9]*$' };

/** Ids that are no UUIDs, or need not be. */
const pathForms: Record<string, Json> = {
  jobId: integer,
  messageId: integer,
  conversationId: { minLength: 1, maxLength: limits.chat.conversationId },
};

const headerParameters = ({ idempotent, resumable }: Route): Json[] => [
  ...(idempotent
    ? [
        header(
          IDEMPOTENCY_KEY,
          'The same key with the same body within 24 hours is the same request: it gets the same answer.',
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
    schema: plain(schema, schemas),
  }));

const requestBody = (body: TSchema, schemas: Json): Json => ({
  required: true,
  description: 'One JSON object',
  content: { [JSON_TYPE]: { schema: plain(body, schemas), example: exampleOf(body) } },
});

function successes(route: Route, schemas: Json): Json {
  const described: Record<string, Json> = Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      answer(route.summary, plain(schema, schemas), exampleOf(schema)),
    ]),
  );
  if (route.streams) {
    const { 200: json = { description: route.summary, headers } } = described;
    described[200] = { ...json, content: { ...(json.content as Json | undefined), ...eventStream } };
  }
  if (route.resumable) described[204] = { description: 'There is nothing to follow', headers };
  return described;
}

const eventStream = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Server-Sent Events of the AI SDK UI message stream, version 1; each event has an id from which the stream can be taken up again.',
    },
  },
};

/** Every code that the route may answer with, under its status. */
function refusals(route: Route): Json {
  const takesInput = Boolean(
    route.body ?? route.query ?? route.idempotent ?? route.refusals?.includes('VALIDATION_INVALID_BODY'),
  );
  return refusalsOf([
    ...always,
    ...(route.scope !== 'workspace' ? (['AGENT_NOT_FOUND'] as const) : []),
    ...(takesInput ? (['VALIDATION_INVALID_BODY'] as const) : []),
    ...(route.malformedJson ? [route.malformedJson] : []),
    ...(route.refusals ?? []),
  ]);
}

function refusalsOf(codes: readonly AnswerableCode[]): Json {
  const byStatus: Record<number, AnswerableCode[]> = {};
  for (const code of new Set(codes)) {
    const { status } = catalogue[code];
    byStatus[status] ??= [];
    byStatus[status].push(code);
  }
  const described = Object.entries(byStatus).map(([status, found]) => [
    status,
    {
      description: found.map(lineOf).join('\n'),
      headers,
      content: {
        [JSON_TYPE]: { schema: errorReference, examples: Object.fromEntries(found.map(exampleOfCode)) },
      },
    },
  ]);
  return { ...Object.fromEntries(described), 503: busy };
}

const lineOf = (code: AnswerableCode): string => `\`${code}\`: ${catalogue[code].message}`;

const exampleOfCode = (code: AnswerableCode): [string, Json] => {
  const { message } = catalogue[code];
  const details =
    code === 'VALIDATION_INVALID_BODY' ? { details: { fieldErrors: { limit: ['must be <= 100'] } } } : {};
  return [code, { value: { error: { code, message, ...details } } }];
};

const errorReference = { $ref: '#/components/schemas/Error' };

const { code, message } = overloaded(null);
/** The one answer with a status that its code does not have of itself. */
const busy: Json = {
  ...answer(`\`${code}\`: ${message}`, errorReference, { error: { code, message } }),
  headers: {
    ...headers,
    'retry-after': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  },
};

/** Our own words, as the nearest that every reader of JSON Schema knows. */
const translations: Record<string, (value: unknown, schema: Json) => Json> = {
  discriminatedBy: (field, { anyOf }) => ({
    discriminator: {
      propertyName: field,
      mapping: Object.fromEntries(
        (anyOf as Json[]).map((schema) => [markOf(schema, String(field)), reference(String(schema.$id))]),
      ),
    },
  }),
  $id: () => ({}),
  trim: () => ({ 'x-trimmed': true }),
  notBlank: () => ({ pattern: '\\S' }),
  someNotBlank: () => ({ contains: { type: 'string', pattern: '\\S' } }),
  maxUtf8Bytes: (bytes) => ({ 'x-max-utf8-bytes': bytes }),
  maxLines: (lines) => ({ 'x-max-lines': lines }),
  maxLineLength: (characters) => ({ 'x-max-line-length': characters }),
  maxJsonBytes: (bytes) => ({ 'x-max-json-bytes': bytes }),
  textOrNumber: () => ({ type: ['string', 'number'] }),
  distinctNames: () => ({ 'x-distinct-names': true }),
  toolInputSchema: (bytes) => ({ 'x-json-schema': true, 'x-max-json-bytes': bytes }),
  domainsWhenEnabled: () => ({ 'x-domains-when-enabled': true }),
  // If not this, then that: one of both.
  if: (condition, { then: that }) => ({ anyOf: [(condition as Json).not, that] }),
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: () => ({}),
  atLeastOneField: (_, { properties }) => ({
    anyOf: Object.keys(properties as Json).map((field) => ({ required: [field] })),
  }),
};

const reference = (name: string): string => `#/components/schemas/${name}`;

/** The one value that a field of this alternative has. */
const markOf = ({ properties }: Json, field: string): unknown =>
  (properties as Record<string, Json>)[field]?.const;

/** A schema without our own words; whatever has a name moves to `schemas`, with a reference in its place. */
function plain(schema: TSchema | Json, schemas: Json, here = false): unknown {
  const { $id } = schema as Json;
  if (typeof $id === 'string' && !here) {
    schemas[$id] ??= plain(schema, schemas, true);
    return { $ref: reference($id) };
  }
  const translated: Json = {};
  for (const [word, value] of Object.entries(schema)) {
    Object.assign(translated, translations[word]?.(value, schema) ?? { [word]: inner(word, value, schemas) });
  }
  return translated;
}

const alternatives = new Set(['anyOf', 'oneOf', 'allOf']);

function inner(word: string, value: unknown, schemas: Json): unknown {
  if (word === 'properties' || word === 'patternProperties') {
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([name, field]) => [name, plain(field, schemas)]),
    );
  }
  if (alternatives.has(word)) return (value as Json[]).map((schema) => plain(schema, schemas));
  return word === 'items' ? plain(value as Json, schemas) : value;
}
