import { overloaded } from '../../errors/api-error.js';
import { catalogue, type ResponseErrorCode } from '../../errors/catalogue.js';
import { permissionOf } from '../../schemas/permissions.js';
import type { Route } from '../route.js';
import { exampleOf } from './examples.js';
import { type Json, plain } from './schemas.js';

export const JSON_TYPE = 'application/json';

/** Errors of every endpoint. */
const always: ResponseErrorCode[] = [
  'AUTH_MISSING_API_KEY',
  'AUTH_INVALID_API_KEY',
  'AUTH_EXPIRED_API_KEY',
  'SUBSCRIPTION_PLAN_REQUIRED',
  'INTERNAL_SERVER_ERROR',
];

const headers = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

export const response = (description: string, schema: unknown, example: unknown): Json => ({
  description,
  headers,
  content: { [JSON_TYPE]: { schema, example } },
});

export function successes(route: Route, schemas: Json): Json {
  const described: Record<string, Json> = Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      response(route.summary, plain(schema, schemas), exampleOf(schema)),
    ]),
  );
  if (route.streams) {
    const { 200: json = { description: route.summary, headers } } = described;
    described[200] = { ...json, content: { ...(json.content as Json | undefined), ...eventStream } };
  }
  if (route.lines) {
    const { 200: json = { description: route.summary, headers } } = described;
    described[200] = { ...json, content: { ...(json.content as Json | undefined), ...lines } };
  }
  if (route.csv) {
    const { 200: json = {} } = described;
    described[200] = { ...json, content: { ...(json.content as Json | undefined), ...csv } };
  }
  if (route.file) described[200] = { description: route.summary, headers, content: file };
  if (route.empty) described[204] = { description: route.summary, headers };
  if (route.resumable) described[204] = { description: 'Nothing to follow', headers };
  return described;
}

const file = {
  'application/octet-stream': {
    schema: { type: 'string', format: 'binary' },
    example: 'The bytes of the file',
  },
};

const csv = {
  'text/csv': {
    schema: { type: 'string', description: 'All items, in UTF-8 (RFC 4180), with a line of column names' },
    example: 'id,name\r\n',
  },
};

const lines = {
  'application/x-ndjson': {
    schema: {
      type: 'string',
      description:
        'The objects of `data`, one in each line. The header `link` has the address of the next page, if there is one.',
    },
    example: '{"id":"01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10","action":"deleteKey"}\n',
  },
};

const eventsExample = [
  'id: 1042.s.0\ndata: {"type":"start","messageId":"1042","messageMetadata":{"conversationId":"01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10","userMessageId":"1041","createdAt":1795312815}}',
  'id: 1042.0.0\ndata: {"type":"text-start","id":"0"}',
  'id: 1042.0.38\ndata: {"type":"text-delta","id":"0","delta":"Hold the power button for ten seconds."}',
  'id: 1042.0.e\ndata: {"type":"text-end","id":"0"}',
  'id: 1042.z.0\ndata: {"type":"finish","finishReason":"stop","messageMetadata":{"messageId":"1042","usage":{"credits":1,"inputTokens":812,"outputTokens":14}}}',
  'data: [DONE]\n\n',
].join('\n\n');

const eventStream = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Server-Sent Events of the AI SDK UI message stream, version 1. The stream can be resumed from the id of any event.',
    },
    example: eventsExample,
  },
};

/** Returns the errors of a route, by status. */
export function refusals(route: Route): Json {
  const takesInput = Boolean(
    route.body ?? route.query ?? route.idempotent ?? route.refusals?.includes('VALIDATION_INVALID_BODY'),
  );
  return refusalsOf([
    ...always,
    ...(permissionOf(route.permission).keyScope !== 'any'
      ? (['AUTH_INSUFFICIENT_PERMISSIONS'] as const)
      : []),
    ...(route.scope !== 'workspace' ? (['AGENT_NOT_FOUND'] as const) : []),
    ...(takesInput ? (['VALIDATION_INVALID_BODY'] as const) : []),
    ...(route.malformedJson ? [route.malformedJson] : []),
    ...(route.refusals ?? []),
  ]);
}

export function refusalsOf(codes: readonly ResponseErrorCode[]): Json {
  const byStatus: Record<number, ResponseErrorCode[]> = {};
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

const lineOf = (code: ResponseErrorCode): string => `\`${code}\`: ${catalogue[code].message}`;

const detailsOf: Partial<Record<ResponseErrorCode, Json>> = {
  VALIDATION_INVALID_BODY: { fieldErrors: { limit: ['must be <= 100'] } },
  AUTH_INSUFFICIENT_PERMISSIONS: { required: 'full' },
};

const exampleOfCode = (code: ResponseErrorCode): [string, Json] => {
  const { message } = catalogue[code];
  const details = detailsOf[code];
  return [code, { value: { error: { code, message, ...(details ? { details } : {}) } } }];
};

const errorReference = { $ref: '#/components/schemas/Error' };

const { code, message } = overloaded(null);
/** The response 503 under load. Its status differs from the usual status of its code. */
const busy: Json = {
  ...response(`\`${code}\`: ${message}`, errorReference, { error: { code, message } }),
  headers: {
    ...headers,
    'retry-after': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
  },
};
