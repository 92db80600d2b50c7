import t from 'tap';
import { compileToolSchema } from '../../../core/chat/tool-schema.js';

t.test('arguments are held against the schema, in words that a model understands', async (t) => {
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

t.test('patterns and formats are never run, and keep nothing from being called', async (t) => {
  const check = compileToolSchema({
    type: 'object',
    properties: { mail: { type: 'string', format: 'email', pattern: '^(a+)+$' } },
    patternProperties: { '^(b+)+$': { type: 'string' } },
    additionalProperties: false,
    'x-unknown': 5,
  });
  t.same(check({ mail: `${'a'.repeat(60)}!`, bbb: 'x' }), []);
});

t.test('what is no schema does not compile; the same $id twice does', async (t) => {
  t.throws(() => compileToolSchema({ type: 'nonsense' }));
  t.throws(() => compileToolSchema({ $ref: 'https://example.com/schema.json' }));
  for (const type of ['string', 'number'])
    t.doesNotThrow(() =>
      compileToolSchema({ $id: 'https://a.example/x', type: 'object', properties: { a: { type } } }),
    );
});
