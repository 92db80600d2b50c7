import type { Context, Next } from 'koa';
import { limits } from '../../schemas/limits.js';
import { requestIdPattern } from '../../schemas/request-id.js';
import { errorBody } from '../pipeline/error.schema.js';
import { staticResponse } from '../pipeline/static-response.js';
import { resources, routes } from '../routes.js';
import { operation } from './operation.js';
import { refusalsOf, response } from './responses.js';
import { type Json, plain } from './schemas.js';
import { webhookMessages } from './webhooks.js';

const description = [
  'Create an agent, give it knowledge, and ask it: `createAgent`, then `addTextSource` or `addUrlSource`, then `chat`.',
  'Send your key as `Authorization: Bearer KEY`. Every response carries `x-request-id`; every error a stable `error.code` and a message for people.',
  'Characters are Unicode code points, bytes are UTF-8 bytes, timestamps are Unix seconds. Unknown fields and unknown query parameters are ignored. ' +
    `Bodies are JSON objects of at most ${limits.body.bytes} bytes and ${limits.body.values} values, not compressed. HEAD answers like GET without a body.`,
  'Any operation may answer 503 with `Retry-After` under load or while the database is not available: nothing was changed, and the header says after how many seconds to try again. A POST that changes something can be repeated safely with an `Idempotency-Key`; only `createKey` ignores it.',
  'Operations marked `x-extension: true` are beyond the published interface that this service implements.',
].join('\n\n');

/**
 * Returns the OpenAPI 3.1 document. It is generated from the routes and schemas that validate requests, so it cannot
 * differ from the service.
 */
export function openApi(): Json {
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
      summary: 'Agents that answer from your sources',
      description,
    },
    servers: [{ url: '/api/v2', description: 'The service that served this document' }],
    tags: [
      ...Object.entries(resources).map(([name, { about }]) => ({ name, description: about })),
      { name: 'health', description: 'Whether the service answers' },
    ],
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhookMessages(schemas),
    components: {
      schemas: { ...schemas, Error: plain(errorBody, schemas, true) },
      headers: {
        RequestId: {
          description:
            'Quote it when you report a problem. A request may choose it: 1 to 128 letters, digits, dots, hyphens and underscores.',
          schema: { type: 'string', pattern: requestIdPattern },
        },
      },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of your workspace. `createKey` or the operator creates it; its scope, agents and expiry may limit it.',
        },
        visitorToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token of one user of an agent, for browsers. Your server gets it from `createChatToken`.',
        },
      },
    },
  };
}

/** Answers `GET /openapi.json`, without a key. */
export function serveOpenApi() {
  const document = staticResponse(() => Buffer.from(JSON.stringify(openApi())), {
    type: 'application/json; charset=utf-8',
    caching: 'no-cache',
  });
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/openapi.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    return document(ctx);
  };
}

const health = (): Json => ({
  operationId: 'getHealth',
  summary: 'Check whether the service answers',
  description:
    'Needs no key and queries neither the database nor the queue: for load balancers. `/readyz`, outside of the API, checks every dependency.',
  tags: ['health'],
  security: [],
  responses: {
    200: response(
      'It does',
      { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
      { status: 'ok' },
    ),
    ...refusalsOf(['VALIDATION_INVALID_BODY']),
  },
});
