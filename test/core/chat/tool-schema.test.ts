import { startSchemaThreads } from '../../../adapters/threads/schema-threads.js';
import { checkCalls } from '../../../core/chat/tool-calls.js';
import { toolProblems } from '../../../core/chat/tool-problems.js';
import { compileToolSchema } from '../../../core/chat/tool-schema.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { ToolSchemasBusy } from '../../../core/ports/tool-schemas.port.js';
import t from '../../support/t.js';

const toolSchemas = startSchemaThreads(silentLog);
t.teardown(() => toolSchemas.close());
const owner = { workspaceId: 'w', agentId: 'a' };
const problemsOf = (sent: Parameters<typeof toolProblems>[0]) => toolProblems(sent, toolSchemas, owner);

t.test('checking large schemas does not block the event loop', async (t) => {
  const properties = Object.fromEntries(Array.from({ length: 590 }, (_, n) => [`p${n}`, { type: 'string' }]));
  const sent = [{ name: 'a', inputSchema: { type: 'object', properties } }];
  let iterations = 0;
  const counting = setInterval(() => {
    iterations += 1;
  }, 1);
  t.same(await problemsOf(sent), []);
  clearInterval(counting);
  t.ok(iterations > 20, `${iterations} timers ran`);
});

t.test('schemas that were checked before need no thread', async (t) => {
  const own = startSchemaThreads(silentLog);
  const good = '{"type":"object","title":"known"}';
  const bad = '{"type":"nonsense"}';
  const first = await own.schemaProblems([good, bad], owner);
  t.match(first, [null, /is not a valid JSON Schema/]);
  await own.close();
  t.same(await own.schemaProblems([bad, good], owner), [...first].reverse());
  await t.rejects(own.schemaProblems(['{"type":"object","title":"new"}'], owner), ToolSchemasBusy);
});

t.test('a long name in a schema does not make a long message', async (t) => {
  const sent = [
    {
      name: 'a',
      inputSchema: { type: 'object', properties: { ['n'.repeat(15_000)]: { type: 'nonsense' } } },
    },
  ];
  const [problem = ''] = await problemsOf(sent);
  t.match(problem, /cannot be used: .*is not a valid JSON Schema/);
  t.ok(problem.length < 1000, `${problem.length} characters`);
});

t.test('several answers may validate many calls concurrently', async (t) => {
  const tools = [{ name: 'note', description: 'Notes.', inputSchema: { type: 'object' } }];
  const calls = Array.from({ length: 32 }, () => ({ toolName: 'note', arguments: '{}' }));
  const answers = Array.from({ length: 5 }, () => checkCalls(calls, { tools, toolSchemas, owner }));
  for (const checked of await Promise.all(answers)) t.equal(checked.length, 32);
});

t.test('reports invalid arguments in words that a model understands', async (t) => {
  const check = compileToolSchema({
    type: 'object',
    properties: {
      subject: { type: 'string', minLength: 3 },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
    },
    required: ['subject'],
    additionalProperties: false,
  });
  t.same(check({ subject: 'Printer', tags: ['a'] }), []);
  t.same(check({}), ["the arguments must have required property 'subject'"]);
  t.same(check({ subject: 'x', tags: ['c'], more: 1 }), [
    'the arguments must NOT have additional properties (more)',
    'subject must NOT have fewer than 3 characters',
    'tags.0 must be equal to one of the allowed values',
  ]);
});

t.test('patterns and formats are never evaluated and reject nothing', async (t) => {
  const check = compileToolSchema({
    type: 'object',
    properties: { mail: { type: 'string', format: 'email', pattern: '^(a+)+$' } },
    patternProperties: { '^(b+)+$': { type: 'string' } },
    additionalProperties: false,
    'x-unknown': 5,
  });
  t.same(check({ mail: `${'a'.repeat(60)}!`, bbb: 'x' }), []);
});

t.test('an invalid schema does not compile; two schemas with the same $id do', async (t) => {
  t.throws(() => compileToolSchema({ type: 'nonsense' }));
  t.throws(() => compileToolSchema({ $ref: 'https://example.com/schema.json' }));
  for (const type of ['string', 'number'])
    t.doesNotThrow(() =>
      compileToolSchema({ $id: 'https://a.example/x', type: 'object', properties: { a: { type } } }),
    );
});

t.test('a schema with endless checks ends with a message for the model', async (t) => {
  const endless = /requires too many checks/;
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      { allOf: n === 39 ? [] : [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  );
  t.match(compileToolSchema({ type: 'object', $defs: doubling, $ref: '#/$defs/d0' })({}), [endless]);
  t.match(compileToolSchema({ type: 'object', allOf: [{ $ref: '#' }] })({}), [endless]);
  const both = { allOf: [{ $ref: '#/$defs/deep' }, { $ref: '#/$defs/deep' }] };
  const check = compileToolSchema({ type: 'object', $defs: { deep: { properties: { a: both } } }, ...both });
  const nested = (depth: number): { a?: object } => (depth === 0 ? {} : { a: nested(depth - 1) });
  t.same(check(nested(5) as never), []);
  t.match(check(nested(40) as never), [endless]);
  t.same(check({}), [], 'each arguments are counted by themselves');
  for (const word of ['$dynamicRef', '$recursiveRef']) {
    const twice = { allOf: [{ [word]: '#' }, { [word]: '#' }] };
    const doubles = compileToolSchema({ type: 'object', properties: { a: twice } });
    t.same(doubles(nested(5) as never), [], word);
    t.match(doubles(nested(30) as never), [endless], word);
  }
});

t.test('a schema is compiled once, regardless of the number of references', async (t) => {
  const many = (make: (n: number) => object) =>
    Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, make(n)]));
  const $defs = { all: { type: 'object', properties: many(() => ({ type: 'string' })) } };
  const inputSchema = { type: 'object', $defs, properties: many(() => ({ $ref: '#/$defs/all' })) };
  const before = performance.now();
  t.same(await problemsOf([{ name: 'look', inputSchema }] as never), []);
  // A tenth of the time that inlined references took (8 s).
  t.ok(performance.now() - before < 3000);
  t.same(compileToolSchema(inputSchema as never)({ p7: { p8: 1 } }), ['p7.p8 must be string']);
});

t.test('problems are found in limited time and memory', async (t) => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
  const list = (length: number) => ({ list: Array(length).fill({}) });
  const check = compileToolSchema({
    type: 'object',
    properties: { list: { type: 'array', items: { required: names(1000) } } },
  });
  t.equal(check(list(100)).length, 10);
  t.match(check(list(1000)), [/requires too many checks/]);
  const closed = compileToolSchema({
    type: 'object',
    allOf: Array.from({ length: 300 }, () => ({ additionalProperties: false })),
  });
  t.match(closed(Object.fromEntries(names(1000).map((name) => [name, 1]))), [/requires too many checks/]);
  const dependent = compileToolSchema({ type: 'object', dependentRequired: { $ref: ['a'], b: ['c'] } });
  t.same(dependent({ b: 1 }), ['the arguments must have property c when property b is present']);
});

t.test('accepts a large list of definitions', async (t) => {
  const check = compileToolSchema({
    type: 'object',
    $defs: { pair: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    properties: { list: { type: 'array', items: { $ref: '#/$defs/pair' } } },
  });
  t.same(check({ list: Array(15_000).fill({ a: 'x' }) }), []);
});

t.test('a tree may reference itself', async (t) => {
  const check = compileToolSchema({
    type: 'object',
    properties: { name: { type: 'string' }, inner: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  });
  t.same(check({ name: 'a', inner: [{ name: 'b', inner: [] }, { name: 'c' }] }), []);
  t.same(check({ name: 'a', inner: [{}] }), ["inner.0 must have required property 'name'"]);
});

t.test('duplicate items are found in lists of any size', async (t) => {
  const check = compileToolSchema({ type: 'object', properties: { ids: { uniqueItems: true } } });
  const ids = Array.from({ length: 50_000 }, (_, n) => ({ n, x: 1 }));
  t.same(check({ ids }), []);
  t.same(check({ ids: [...ids, { x: 1, n: 7 }] }), ['ids must not contain duplicate items']);
});

t.test('property names and data are not keywords', async (t) => {
  const check = compileToolSchema({
    type: 'object',
    properties: { $ref: { type: 'string' }, pattern: { enum: [{ $ref: '#/x' }] } },
    patternProperties: { '^x-': {} },
    additionalProperties: false,
  });
  t.same(check({ $ref: 'a', pattern: { $ref: '#/x' }, 'x-1': 1 }), []);
  t.match(check({ $ref: 1 }), [/^\$ref must be string/]);
});

t.test('a schema is read according to its draft', async (t) => {
  const pair = [{ type: 'string' }, { type: 'number' }];
  const withTuple = (more: object, tuple: object) =>
    compileToolSchema({ type: 'object', ...more, properties: { at: { type: 'array', ...tuple } } });
  for (const check of [
    withTuple(
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      { items: pair, additionalItems: false },
    ),
    withTuple(
      { $schema: 'https://json-schema.org/draft/2019-09/schema' },
      { items: pair, additionalItems: false },
    ),
    withTuple(
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      { prefixItems: pair, items: false },
    ),
    withTuple({}, { items: pair, additionalItems: false }),
    withTuple({}, { prefixItems: pair, items: false }),
  ]) {
    t.same(check({ at: ['a', 1] }), []);
    t.same(check({ at: ['a', 'b'] }), ['at.1 must be number']);
    t.same(check({ at: ['a', 1, 2] }), ['at must NOT have more than 2 items']);
  }
  t.throws(() => withTuple({ $schema: 'https://json-schema.org/draft/2020-12/schema' }, { items: pair }));
  const dependent = withTuple(
    {
      $schema: 'http://json-schema.org/draft-07/schema',
      dependencies: { enum: ['at'], const: { required: ['at'] } },
    },
    {},
  );
  t.same(dependent({ enum: 1, at: [] }), []);
  t.same(dependent({ enum: 1 }), ['the arguments must have property at when property enum is present']);
  t.match(dependent({ const: 1 }), [/must have required property 'at'/]);
});

t.test('reports schemas that take too long to compile or cannot be compiled', async (t) => {
  const tool = (inputSchema: object) => ({ name: 'look', inputSchema: inputSchema as never });
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}]));
  const nested = (depth: number): object => (depth === 0 ? {} : { not: nested(depth - 1) });
  t.same(await problemsOf([]), []);
  t.same(await problemsOf([tool({ type: 'object', properties: properties(500) })]), []);
  const wide = tool({ type: 'object', properties: properties(400) });
  t.match(await problemsOf([wide, wide]), [/more than 600 schemas/]);
  t.same(await problemsOf([tool({ type: 'object', ...nested(40) })]), []);
  const deep = tool({ type: 'object', ...nested(60) });
  const anchored = { $anchor: 'x' };
  const broken = [{ id: 'x' }, { properties: { a: { nullable: true } } }, { allOf: [anchored, anchored] }];
  const found = await problemsOf([
    deep,
    tool({ type: 'object' }),
    ...broken.map((more) => tool({ type: 'object', ...more })),
  ]);
  t.equal(found.length, 4);
  t.match(found, [
    /^tools\[0\]\.inputSchema must not nest more than 50 levels/,
    /^tools\[2\]\.inputSchema cannot be used: /,
    /^tools\[3\]\.inputSchema cannot be used: /,
    /^tools\[4\]\.inputSchema cannot be used: /,
  ]);
});
