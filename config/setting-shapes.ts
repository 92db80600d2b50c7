import { type Static, type TSchema, Type } from '@sinclair/typebox';

/* Builders for the schemas of settings. */

export const count = (description: string, unit: string, minimum: number, maximum: number) =>
  Type.Integer({ description, unit, minimum, maximum });

/** Gives a setting an environment variable whose name is not derived from the path. */
export const named = <T extends TSchema>(env: string, schema: T): T => ({ ...schema, env });

export const oneOf = <T extends string>(description: string, words: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words], description });

export const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  });

/** Returns the schema of a group of settings. Unknown properties are invalid. */
export const section = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** Returns the settings of a web page. */
export const webPage = (name: string, address: string) =>
  section({
    enabled: Type.Boolean({
      expects: 'true or false',
      description: `Whether this process serves ${name}, a web page, at \`${address}\`.`,
    }),
  });
