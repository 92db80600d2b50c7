import type { Type as TypeBox } from '@sinclair/typebox';

/*
 * The functions of TypeBox that we use, with TypeBox's types. TypeBox itself is 200 modules, and loading them would be a
 * tenth of what a start costs.
 */

/** Marks a property that may be left out. */
const optional = Symbol('optional');

interface Schema {
  [optional]?: true;
  [keyword: string]: unknown;
}
type Properties = Record<string, Schema>;

const optionalOf = (schema: Schema): Schema => ({ ...schema, [optional]: true });

function objectOf(properties: Properties, options?: object): Schema {
  const required = Object.keys(properties).filter((name) => !properties[name]?.[optional]);
  return { ...options, type: 'object', ...(required.length > 0 && { required }), properties };
}

const functions = {
  Array: (items: Schema, options?: object) => ({ ...options, type: 'array', items }),
  Boolean: (options?: object) => ({ ...options, type: 'boolean' }),
  Integer: (options?: object) => ({ ...options, type: 'integer' }),
  Literal: (value: unknown, options?: object) => ({ ...options, const: value, type: typeof value }),
  Null: (options?: object) => ({ ...options, type: 'null' }),
  Number: (options?: object) => ({ ...options, type: 'number' }),
  Object: objectOf,
  Optional: optionalOf,
  Partial: ({ properties }: { properties: Properties }) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optionalOf(schema)])),
    ),
  /** Keys may be any text without line breaks, as in TypeBox. */
  Record: (_keys: Schema, values: Schema, options?: object) => ({
    ...options,
    type: 'object',
    patternProperties: { '^(.*)$': values },
  }),
  String: (options?: object) => ({ ...options, type: 'string' }),
  Union: (schemas: Schema[], options?: object) => ({ ...options, anyOf: schemas }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
};

export const Type = functions as unknown as Pick<typeof TypeBox, keyof typeof functions>;
