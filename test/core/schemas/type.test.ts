import { Type as TypeBox } from '@sinclair/typebox';
import t from 'tap';
import { Type } from '../../../core/schemas/type.js';

t.test('our builder of schemas writes what TypeBox writes', async (t) => {
  const schemas = (type: typeof Type) => {
    const described = { description: 'd', $id: 'i' };
    const properties = {
      array: type.Array(type.Number({ minimum: 1 }), { maxItems: 2, ...described }),
      boolean: type.Optional(type.Boolean(described)),
      integer: type.Optional(type.Integer({ default: 3 })),
      literals: type.Union([type.Literal('a'), type.Literal(1), type.Literal(true)], described),
      nothing: type.Null(),
      record: type.Record(type.String(), type.Unknown(described), described),
      text: type.String({ pattern: '^a$' }),
      unsafe: type.Optional(type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['a', null] })),
    };
    return [
      type.Object(properties, { ...described, additionalProperties: false }),
      type.Object({ only: type.Optional(type.String()) }),
      type.Object({}),
      type.Partial(type.Object(properties)),
      type.Object(type.Partial(type.Object(properties)).properties),
    ];
  };
  t.equal(JSON.stringify(schemas(Type)), JSON.stringify(schemas(TypeBox)));
});
