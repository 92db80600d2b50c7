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
  'Create an agent, add sources, and ask a question: `createAgent`, then `addTextSource` or `addUrlSource`, then `chat`.',
  'Send your key as `Authorization: Bearer KEY`. Every response has the header `x-request-id`. Every error has a stable `error.code` and a message for people.',
  'Characters are Unicode code points, bytes are UTF-8 bytes, timestamps are Unix seconds. Unknown fields and unknown query parameters are ignored. ' +
    `Bodies are uncompressed JSON objects of at most ${limits.body.bytes} bytes and ${limits.body.values} values. HEAD responds like GET, without a body.`,
  'Under load, or while the database is not available, any operation may respond with 503. Nothing was changed; try again after the number of seconds in `Retry-After`. A POST that changes something can be repeated safely with an `Idempotency-Key`; only `createKey` ignores the header.',
  'Operations marked `x-extension: true` are extensions of the published interface that this service implements.',
].join('\n\n');

/**
 * Returns the OpenAPI 3.1 document. It is generated from the routes and schemas that validate requests, so it always
 * matches the service.
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
      { name: 'health', description: 'Whether the service responds' },
    ],
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhookMessages(schemas),
    components: {
      schemas: { ...schemas, Error: plain(errorBody, schemas, true) },
      headers: {
        RequestId: {
          description:
            'Id of the request. Quote it when you report a problem. A request may set it: 1 to 128 letters, digits, dots, hyphens and underscores.',
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

/** Serves `GET /openapi.json`, without a key. */
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
  summary: 'Check whether the service responds',
  description:
    'For load balancers: needs no key, and queries neither the database nor the queue. `/readyz`, outside of the API, checks every dependency.',
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
