import { Type } from '@sinclair/typebox';
import { ApiError } from '../../../../core/errors/api-error.js';
import { outputProblems, validInput } from '../../../../core/http/validation/validate.js';
import { nullable, oneOf, someOf } from '../../../../core/schemas/shapes.js';
import t from '../../../support/t.js';

function problemsOf(
  schema: Parameters<typeof validInput>[0],
  input: unknown,
  known?: Record<string, string[]>,
) {
  try {
    validInput(schema, input, known);
    return null;
  } catch (error) {
    return error instanceof ApiError ? { message: error.message, ...error.details?.fieldErrors } : error;
  }
}

t.test('drops unknown fields at every level and trims known ones', async (t) => {
  const schema = Type.Object({
    name: Type.String({ trim: true, maxLength: 3, pattern: '^[a-c]+$' }),
    inner: Type.Object({ tags: Type.Array(Type.String({ trim: true })) }),
  });
  const input = JSON.parse(
    '{"name":" abc ","x":1,"__proto__":{"y":1},"inner":{"tags":[" a "],"constructor":2}}',
  );
  t.strictSame(validInput(schema, input), { name: 'abc', inner: { tags: ['a'] } });
});

t.test('reports a value that matches several forms, none of which names a field', async (t) => {
  const size = Type.Unsafe<number>({
    oneOf: [
      { type: 'number', minimum: 1 },
      { type: 'number', maximum: 9 },
    ],
  });
  const problems = problemsOf(Type.Object({ size }), { size: 5 });
  t.match(problems, { message: /^size .*oneOf/, size: [/oneOf/] });
});

t.test('each invalid field has its messages; nested fields contain their path', async (t) => {
  const schema = Type.Object({
    a: Type.String({ minLength: 1, maxLength: 2 }),
    b: Type.Array(Type.Object({ c: Type.Integer({ minimum: 3 }) }), { maxItems: 1 }),
    d: nullable(oneOf(['x', 'y'])),
    e: Type.Boolean(),
  });
  t.strictSame(problemsOf(schema, { a: '', b: [{ c: 1 }, {}], d: 'z' }), {
    message:
      'e is required; a must have at least 1 character; b must have at most 1 entries; d must be one of x, y, null',
    e: ['is required'],
    a: ['must have at least 1 character'],
    b: ['must have at most 1 entries', 'b[0].c must be >= 3', 'b[1].c is required'],
    d: ['must be one of x, y, null'],
  });
});

t.test('includes problems that were found before', async (t) => {
  const schema = Type.Object({ a: Type.Optional(Type.Integer()), b: Type.Optional(Type.String()) });
  t.match(problemsOf(schema, { a: 'x' }, { b: ['must be given once'] }), {
    a: ['must be integer'],
    b: ['must be given once'],
  });
  t.match(problemsOf(schema, { a: 1 }, { b: ['must be given once'] }), { b: ['must be given once'] });
  t.equal(problemsOf(schema, { a: 1 }), null);
});

t.test('names the missing content of a body, without a field', async (t) => {
  const schema = someOf({ a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) });
  for (const input of [{}, { c: 1 }])
    t.strictSame(problemsOf(schema, input), { message: 'The body must hold at least one of a, b.' });
  t.equal(problemsOf(schema, { a: '' }), null);
});

t.test('coerces no values', async (t) => {
  const schema = Type.Object({ a: Type.Boolean(), b: Type.Number() });
  for (const input of [
    { a: 'true', b: '5' },
    { a: 1, b: true },
    { a: null, b: null },
    { a: [], b: Number.POSITIVE_INFINITY },
  ]) {
    t.match(problemsOf(schema, input), { a: ['must be boolean'], b: ['must be number'] });
  }
});

t.test('validates a response as it will be sent', async (t) => {
  const item = Type.Object({ a: Type.String() }, { $id: 'Item' });
  const list = Type.Object({ data: Type.Array(item) }, { $id: 'ItemList' });
  t.strictSame(outputProblems(list, { data: [{ a: 'x', b: undefined }] }), []);
  t.strictSame(outputProblems(item, { a: 'x' }), [], 'after the list that holds it');
  t.strictSame(outputProblems(item, { a: undefined }), ["/ must have required property 'a'"]);
  t.strictSame(outputProblems(list, { data: [{ a: 1 }] }), ['/data/0/a must be string']);
});

t.test('a list of a million invalid entries gets a limited number of messages', async (t) => {
  const list = Type.Object({
    short: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
    inner: Type.Optional(Type.Object({ long: Type.Array(Type.String()) })),
    flag: Type.Optional(Type.Boolean()),
  });
  const bad = () => Array.from({ length: 1_000_000 }, () => 1);
  const found = problemsOf(list, { short: bad(), inner: { long: bad() }, flag: 1 }) as Record<
    string,
    string[]
  >;
  t.equal(found.short?.[0], 'must have at most 3 entries');
  t.equal(found.inner?.[0], 'inner.long[0] must be string');
  t.strictSame(found.flag, ['must be boolean'], 'all failing fields are named');
  t.ok(JSON.stringify(found).length < 100_000);
});

t.test('names an invalid entry near the end of a long list', async (t) => {
  const list = Type.Object({ long: Type.Array(Type.String()) });
  const entries: unknown[] = Array.from({ length: 5000 }, () => 'a');
  t.strictSame(problemsOf(list, { long: [...entries, 1] }), {
    message: 'long[5000] must be string',
    long: ['long[5000] must be string'],
  });
  t.equal(problemsOf(list, { long: entries }), null);
});
