import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { catalogue, responseErrorCodes } from '../../../core/errors/catalogue.js';
import { openApi } from '../../../core/http/openapi/document.js';
import { exampleOf } from '../../../core/http/openapi/examples.js';
import { routes } from '../../../core/http/routes.js';
import { validInput } from '../../../core/http/validation/validate.js';
import { TEST_EVENT, webhookEventTypes } from '../../../core/schemas/webhook-events.js';
import { failureCodes } from '../../../core/tasks/failures.js';
import { body, type ErrorBody, type List, type Source } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

interface Content {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags?: string[];
  'x-extension'?: true;
  parameters?: { name: string; in: string }[];
  requestBody?: unknown;
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

const ABSENT = '01890000-0000-7000-8000-000000000000';

t.test('the document is served without a key and contains every endpoint', async (t) => {
  const { baseUrl } = await startTestService(t);
  const answer = await fetch(`${baseUrl}/openapi.json`);
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^application\/json/);
  const { openapi, paths } = (await answer.json()) as Document;
  t.equal(openapi, '3.1.0');
  t.ok(paths['/health']?.get);
  for (const { method, path, body } of routes) {
    const template = path.replace(/:(\w+)/g, '{$1}');
    const operation = paths[template]?.[method.toLowerCase()];
    t.ok(operation, `${method} ${template}`);
    t.equal(operation?.requestBody !== undefined, body !== undefined, `body of ${method} ${template}`);
    for (const [, name] of template.matchAll(/\{(\w+)\}/g))
      t.ok(
        operation?.parameters?.some((parameter) => parameter.name === name),
        `${name} of ${template}`,
      );
  }
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  t.equal(new Set(ids).size, ids.length, 'operation ids differ');
  t.equal((await fetch(`${baseUrl}/openapi.json`, { method: 'HEAD' })).status, 200);
  t.equal((await fetch(`${baseUrl}/openapi.json`, { method: 'POST' })).status, 404);
});

t.test('it is plain JSON Schema: every reference resolves, and it has no keywords of ours', async (t) => {
  const document = JSON.parse(JSON.stringify(openApi())) as Document;
  const text = JSON.stringify(document);
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
    t.ok(name && document.components.schemas[name], String(name));
  for (const word of [
    'trim',
    'notBlank',
    'someNotBlank',
    'maxUtf8Bytes',
    'atLeastOneField',
    'textOrNumber',
    'maxJsonBytes',
    'sourceUrl',
    '$id',
  ])
    t.notOk(text.includes(`"${word}":`), word);
});

t.test('every error says what happened and what to do', async (t) => {
  const entries = Object.entries(catalogue);
  t.equal(entries.length, 30);
  for (const [code, { message }] of entries) t.match(message, /^[^.]+\. [A-Z].+\.$/, code);
});

t.test('responses and errors match it', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const document = JSON.parse(JSON.stringify(openApi())) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  const { id } = await api.agent();
  const said = (method: string, template: string, answer: { status: number; body: unknown }) => {
    const documented = document.paths[template]?.[method.toLowerCase()]?.responses[answer.status];
    const what = `${method} ${template} ${answer.status}`;
    t.ok(documented, what);
    const pointer = `${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;
    const validate = ajv.getSchema(
      `api#/paths/${encodeURI(pointer)}/responses/${answer.status}/content/application~1json/schema`,
    );
    t.ok(validate?.(answer.body), `${what}: ${JSON.stringify(validate?.errors)}`);
    const code = (answer.body as Partial<ErrorBody>).error?.code;
    if (code) t.ok(documented?.description.includes(`\`${code}\``), `${what} names ${code}`);
  };
  const agent = '/agents/{agentId}';
  said('GET', '/agents', await api.get('/agents'));
  said('GET', '/agents', await api.get('/agents?limit=0'));
  said('POST', '/agents', await api.post('/agents', { name: 'x' }));
  said('POST', '/agents', await api.post('/agents', {}));
  said('GET', '/agents', await service.api(null).get('/agents'));
  said('GET', agent, await api.get(`/agents/${id}`));
  said('GET', agent, await api.get(`/agents/${ABSENT}`));
  said(
    'PATCH',
    `${agent}/settings/design`,
    await api.patch(`/agents/${id}/settings/design`, { prompts: ['a'] }),
  );
  said(
    'POST',
    `${agent}/sources/text`,
    await api.post(`/agents/${id}/sources/text`, { title: 't', content: 'c' }),
  );
  const { data } = await body(api.get<List<Source>>(`/agents/${id}/sources`));
  const source = `${agent}/sources/{documentId}`;
  said('GET', source, await api.get(`/agents/${id}/sources/${data[0]?.id}`));
  said('GET', source, await api.get(`/agents/${id}/sources/x`));
  said('GET', source, await api.get(`/agents/${id}/sources/${ABSENT}`));
  said('GET', `${agent}/jobs/{jobId}`, await api.get(`/agents/${id}/jobs/x`));
  said('GET', `${agent}/train`, await api.get(`/agents/${id}/train?include=lastFailedJob`));
  said('POST', `${agent}/train`, await api.post(`/agents/${id}/train`));
  const small = await service.client({ plan: 'starter' });
  const { id: its } = await small.agent();
  said(
    'PATCH',
    `${agent}/settings/ai`,
    await small.patch(`/agents/${its}/settings/ai`, { model: 'vendorA/familyA-6-sol' }),
  );
  said(
    'PATCH',
    `${agent}/settings/training`,
    await small.patch(`/agents/${its}/settings/training`, { autoRetrainEnabled: true }),
  );
  said(
    'POST',
    `${agent}/sources/url`,
    await small.post(`/agents/${its}/sources/url`, { url: 'https://example.com/a.mp4' }),
  );
});

t.test('every request and response has an example that matches its schema', async (t) => {
  const document = JSON.parse(JSON.stringify(openApi())) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  let looked = 0;
  const look = (what: string, pointer: string, content: Record<string, Content> | undefined) => {
    for (const [type, { example, examples }] of Object.entries(content ?? {})) {
      if (type !== 'application/json') {
        t.type(example, 'string', `${what}: ${type}`);
        continue;
      }
      const shown = examples ? Object.values(examples).map(({ value }) => value) : [example];
      const validate = ajv.getSchema(`api#${pointer}/content/application~1json/schema`);
      for (const value of shown) {
        looked += 1;
        t.ok(validate?.(value), `${what}: ${JSON.stringify(value)} ${JSON.stringify(validate?.errors)}`);
      }
    }
  };
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const pointer = `/paths/${encodeURI(path.replaceAll('/', '~1'))}/${method}`;
      const { requestBody, responses } = operation;
      look(
        `${method} ${path}`,
        `${pointer}/requestBody`,
        (requestBody as { content?: Record<string, Content> })?.content,
      );
      for (const [status, { content }] of Object.entries(responses))
        look(
          `${method} ${path} ${status}`,
          `${pointer}/responses/${status}`,
          content as Record<string, Content>,
        );
    }
  }
  t.ok(looked > 200, `${looked} examples`);
});

t.test('the examples of requests are accepted', async (t) => {
  for (const { id, body: schema } of routes)
    if (schema) t.doesNotThrow(() => validInput(schema, structuredClone(exampleOf(schema))), id);
});

t.test('it documents operations, codes, failures, source types, and extensions of the API', async (t) => {
  const document = JSON.parse(JSON.stringify(openApi())) as Document & {
    info: object;
    tags: { name: string }[];
  };
  const { paths, components, tags } = document;
  t.match(document.info, { license: { name: 'MIT', identifier: 'MIT' } });
  t.equal(paths['/agents']?.post?.operationId, 'createAgent');
  t.equal(paths['/agents/{agentId}/settings/ai']?.patch?.operationId, 'updateAiSettings');
  t.match(paths['/agents/{agentId}/jobs']?.get, { 'x-extension': true });
  t.notOk(JSON.stringify(paths['/agents']).includes('x-extension'));
  const used = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => operation.tags ?? []),
  );
  t.strictSame([...new Set(used)].sort(), tags.map(({ name }) => name).sort(), 'tags are described');
  const { Error: error, Task: task, Source: source } = components.schemas as Record<string, object>;
  t.match(error, { properties: { error: { properties: { code: { enum: responseErrorCodes } } } } });
  t.match(task, { properties: { lastError: { properties: { code: { enum: failureCodes } } } } });
  t.match(source, {
    discriminator: {
      propertyName: 'sourceType',
      mapping: { web_crawl: '#/components/schemas/PageSource' },
    },
  });
});

t.test('it has a typed message for every event of webhooks', async (t) => {
  const document = JSON.parse(JSON.stringify(openApi())) as Document & { webhooks: Document['paths'] };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'api');
  t.strictSame(Object.keys(document.webhooks).sort(), [...webhookEventTypes, TEST_EVENT].sort());
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const body = post?.requestBody as { content: Record<string, Content> } | undefined;
    const pointer = `/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(`api#${pointer}`);
    const example = body?.content['application/json']?.example as { type: string; data: object };
    t.equal(example.type, type);
    t.ok(validate?.(example), `${type}: ${JSON.stringify(validate?.errors)}`);
    t.notOk(validate?.({ ...example, data: {} }), `${type}: its data is typed`);
  }
});

t.test('every operation has a description, and names only operations that exist', async (t) => {
  const document = openApi();
  const { paths } = document as unknown as Document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const fields = namesIn(document);
  const ids = new Set(operations.map(({ operationId }) => operationId));
  for (const { operationId: id, summary, description, ...operation } of operations) {
    t.ok(summary.length < 100 && description.length > summary.length, `${id} has a summary and more`);
    t.equal(description.includes('extension of the published interface'), 'x-extension' in operation, id);
    for (const [, named = ''] of description.matchAll(/`([a-z]+[A-Z]\w+)`/g))
      t.ok(ids.has(named) || fields.has(named), `${id} speaks of ${named}`);
  }
});

t.test('a linter finds no problem', async (t) => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'parameter-description': 'error',
      'operation-operationId-unique': 'error',
      'no-invalid-parameter-examples': 'error',
    },
  });
  const findings = async (document: object) => {
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`);
  };
  const document = openApi();
  t.same(await findings(document), []);
  t.match(await findings({ ...document, tags: [{ name: 'agents' }] }), [/^tag-description/], 'it looks');
});

/** The names of all fields and parameters. */
function namesIn(document: object): Set<string> {
  const found = JSON.stringify(document).matchAll(/"(\w+)":\{|"name":"(\w+)"/g);
  return new Set(Array.from(found, ([, field, parameter]) => field ?? parameter ?? ''));
}

t.test('each POST documents how long a repetition gets the same response', async (t) => {
  const { paths } = openApi() as unknown as {
    paths: Record<string, Record<string, { parameters?: { name: string; description?: string }[] }>>;
  };
  for (const [path, { post }] of Object.entries(paths)) {
    const said = post?.parameters?.find(({ name }) => name === 'Idempotency-Key')?.description;
    if (said === undefined) continue;
    const expires = path.endsWith('/sources/file/upload-url');
    t.match(said, expires ? /while its URLs are valid/ : /for 24 hours/, path);
  }
});
