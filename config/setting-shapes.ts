import { type Static, type TSchema, Type } from '@sinclair/typebox';

/* What settings are made of. */

/** A whole number with its unit and bounds. */
export const count = (description: string, unit: string, minimum: number, maximum: number) =>
  Type.Integer({ description, unit, minimum, maximum });

/** For a setting whose environment name is its own instead of derived. */
export const named = <T extends TSchema>(env: string, schema: T): T => ({ ...schema, env });

/** One of these words. */
export const oneOf = <T extends string>(description: string, words: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words], description });

/** The same, or null. */
export const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** Settings that belong together; others are refused. */
export const section = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The switch of a page for browsers. */
export const webPage = (name: string, address: string) =>
  section({
    enabled: Type.Boolean({
      expects: 'true or false',
      description: `Whether this process serves ${name}, a web page, at \`${address}\`.`,
    }),
  });
