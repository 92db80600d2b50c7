import type { Context, Next } from 'koa';
import { requestIdPattern } from '../ports/request-id.js';
import { limits } from '../schemas/limits.js';
import { errorBody } from './error.schema.js';
import { answer, refusalsOf } from './openapi-answers.js';
import { operation } from './openapi-operation.js';
import { type Json, plain } from './openapi-schemas.js';
import type { Route } from './route.js';
import { staticAnswer } from './static-answer.js';

const description = [
  'Make an agent, teach it, ask it. Start with `createAgent`, then `addTextSource` or `addUrlSource`, then `chat`.',
  'Send your key as `Authorization: Bearer KEY`. Every answer carries `x-request-id`; every refusal a stable `error.code` and a sentence for people.',
  'Characters are Unicode code points, bytes are UTF-8 bytes, timestamps are Unix seconds. Unknown fields and unknown query parameters are ignored. ' +
    `Bodies are JSON objects of at most ${limits.body.bytes} bytes and ${limits.body.values} values, not compressed. HEAD answers like GET without a body.`,
  'Any operation may answer 503 with `Retry-After` under load or while the database is not available: nothing was changed, and the header says after how many seconds to try again. A POST that changes something can be repeated safely with an `Idempotency-Key`.',
  'Operations marked `x-extension: true` are beyond the published interface that this service implements.',
].join('\n\n');

/**
 * The API as an OpenAPI 3.1 document, made from the same routes and schemas that requests are checked with,
 * so it cannot differ from the service. Pure.
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
      summary: 'Agents that answer from what you teach them',
      description,
    },
    servers: [{ url: '/api/v2', description: 'The service that you got this document from' }],
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
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of your workspace. An operator makes them, see `key create` on the command line.',
        },
      },
    },
  };
}

/** Answers `GET /openapi.json`, without a key. */
export function serveOpenApi(routes: readonly Route[]) {
  const document = staticAnswer(() => Buffer.from(JSON.stringify(openApi(routes))), {
    type: 'application/json; charset=utf-8',
    caching: 'no-cache',
  });
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/openapi.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    return document(ctx);
  };
}

/** Groups of operations, by the resource that their paths name. */
const tags: Record<string, string> = {
  workspace: 'The workspace of the key: plan, allowances, usage',
  webhooks: 'URLs that are notified of events, and what was sent to them',
  agents: 'Agents of the workspace. Settings, sources, jobs and conversations belong to one of them',
  settings: 'How an agent behaves and looks, group by group. A change touches only the fields that it names',
  sources:
    'What an agent knows: texts and questions with answers, which it can use at once, and pages and files, which a job reads first',
  search: 'Passages of the sources that fit a question, without an answer',
  train: 'Whether an agent is learning, and the renewal of its pages',
  jobs: 'Work on pages and files, task by task: progress, failures, cancelling, trying again',
  chat: 'Questions to an agent, answered from its sources',
  conversations: 'What was said and is being said: follow, stop, retry, rate, export, delete',
  health: 'Whether the service answers',
};

const health = (): Json => ({
  operationId: 'getHealth',
  summary: 'Tell whether the service answers',
  description:
    'Takes no key and asks neither database nor queue: for load balancers. `/readyz`, outside of the API, looks at everything that the service needs.',
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
