import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { limits } from './limits.js';

/** Schemas that several resources share. */

/**
 * Returns the schema of a string with these values. Uses `enum`, because a union of literals causes an error message
 * for each literal.
 */
export const oneOf = <const V extends readonly string[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });

export function nullable<S extends TSchema>({ const: only, ...schema }: S) {
  const values = only === undefined ? (schema.enum as unknown[] | undefined) : [only];
  return Type.Unsafe<S['static'] | null>({
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...(values ? { enum: [...values, null] } : {}),
  });
}

export const uuid = (description: string) => Type.String({ format: 'uuid', description });
export const unixSeconds = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, Unix seconds` });

/**
 * Earliest day in a query. Earlier days have no data, and calculations from the year 0 on would give years without
 * four digits.
 */
const FIRST_DAY = '1970-01-01';
/** Returns the schema of a day in a query, in UTC. */
export const dayOfQuery = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date',
      notBefore: FIRST_DAY,
      description: `${description}, UTC. Not before ${FIRST_DAY}`,
    }),
  );

/** Returns the schema of a body that requires at least one of its fields. */
export const someOf = <P extends TProperties>(properties: P, options: object = {}): TObject<P> =>
  Type.Object(properties, { ...options, atLeastOneField: true });

/** A text to find in lists, without regard to case. */
export const searchedText = (where: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: `Only those whose ${where} contains this text, in any case`,
  });

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: limits.page.min,
      maximum: limits.page.max,
      default: limits.page.default,
      description: 'Items per page',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      // The position in a list by name has the name.
      maxLength: 2048,
      description: '`pagination.cursor` of the previous page, unchanged',
    }),
  ),
};

export const pagination = Type.Object(
  {
    cursor: nullable(Type.String({ description: 'Opaque; null when there is no next page' })),
    hasMore: Type.Boolean(),
    total: Type.Integer({ minimum: 0, description: 'Items in the whole list' }),
  },
  { $id: 'Pagination' },
);

export const listOf = <S extends TSchema>(item: S, $id: string) =>
  Type.Object({ data: Type.Array(item), pagination }, { $id });

export const deleted = Type.Object({ deleted: Type.Literal(true) }, { $id: 'Deleted' });
