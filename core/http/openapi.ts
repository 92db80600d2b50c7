import type { TObject, TSchema } from '@sinclair/typebox';
import type { Context, Next } from 'koa';
import { overloaded } from '../errors/api-error.js';
import { type AnswerableCode, catalogue } from '../errors/catalogue.js';
import { requestIdPattern } from '../ports/request-id.js';
import { limits } from '../schemas/limits.js';
import { errorBody } from '../schemas/shapes.js';
import { IDEMPOTENCY_KEY } from './idempotency.js';
import type { Route } from './route.js';

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
  const paths: Record<string, Json> = { '/health': { get: health } };
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
      description:
        'Characters are Unicode code points, bytes are UTF-8 bytes, timestamps are Unix seconds. Unknown fields and unknown query ' +
        `parameters are ignored. Bodies are JSON objects of at most ${limits.body.bytes} bytes and ${limits.body.values} values, not compressed. ` +
        'HEAD answers like GET without a body. Any endpoint may answer 503 with `Retry-After` under load: nothing was changed, try again.',
    },
    servers: [{ url: '/api/v2' }],
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
  const document = JSON.stringify(openApi(routes));
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/openapi.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = document;
  };
}

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

const answer = (description: string, schema: unknown): Json => ({
  description,
  headers,
  content: { [JSON_TYPE]: { schema } },
});

const health = {
  operationId: 'getHealth',
  summary: 'Tell whether the service answers',
  tags: ['health'],
  security: [],
  responses: {
    200: answer('It does', {
      type: 'object',
      required: ['status'],
      properties: { status: { const: 'ok' } },
    }),
  },
};

function operation(route: Route, path: string, schemas: Json): Json {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== '');
  const [, , resource = 'agents'] = path.slice(1).split('/');
  return {
    operationId:
      route.method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(''),
    summary: route.summary,
    tags: [resource],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(route.query, schemas),
      ...headerParameters(route),
    ],
    ...(route.body
      ? { requestBody: { required: true, content: { [JSON_TYPE]: { schema: plain(route.body, schemas) } } } }
      : {}),
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

function successes(route: Route, schemas: Json): Json {
  const described: Record<string, Json> = Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      answer(route.summary, plain(schema, schemas)),
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
    route.body ?? route.query ?? route.refusals?.includes('VALIDATION_INVALID_BODY'),
  );
  const codes = new Set<AnswerableCode>([
    ...always,
    ...(route.scope === 'agent' ? (['AGENT_NOT_FOUND'] as const) : []),
    ...(takesInput ? (['VALIDATION_INVALID_BODY'] as const) : []),
    ...(route.malformedJson ? [route.malformedJson] : []),
    ...(route.refusals ?? []),
  ]);
  const byStatus: Record<number, string[]> = {};
  for (const code of codes) {
    const { status, message } = catalogue[code];
    byStatus[status] ??= [];
    byStatus[status].push(`\`${code}\`: ${message}`);
  }
  const described = Object.entries(byStatus).map(([status, lines]) => [
    status,
    answer(lines.join('\n'), errorReference),
  ]);
  return { ...Object.fromEntries(described), 503: busy };
}

const errorReference = { $ref: '#/components/schemas/Error' };

const { code, message } = overloaded(null);
/** The one answer with a status that its code does not have of itself. */
const busy: Json = {
  ...answer(`\`${code}\`: ${message}`, errorReference),
  headers: {
    ...headers,
    'retry-after': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  },
};

/** Our own words, as the nearest that every reader of JSON Schema knows. */
const translations: Record<string, (value: unknown, schema: Json) => Json> = {
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
  atLeastOneField: (_, { properties }) => ({
    anyOf: Object.keys(properties as Json).map((field) => ({ required: [field] })),
  }),
};

/** A schema without our own words; whatever has a name moves to `schemas`, with a reference in its place. */
function plain(schema: TSchema | Json, schemas: Json, here = false): unknown {
  const { $id } = schema as Json;
  if (typeof $id === 'string' && !here) {
    schemas[$id] ??= plain(schema, schemas, true);
    return { $ref: `#/components/schemas/${$id}` };
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
