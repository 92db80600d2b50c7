import type { TSchema } from '@sinclair/typebox';

export type Json = { [key: string]: unknown };

interface Required {
  required: string[];
}

/** At least one of the fields is present. Some client generators ignore `anyOf` beside `properties`. */
const oneIsThere = (fields: string[]): Json => ({
  not: { properties: Object.fromEntries(fields.map((field) => [field, false])) },
});

/** Translations of our own keywords into the closest standard keywords. */
const translations: Record<string, (value: unknown, schema: Json, schemas: Json) => Json> = {
  discriminatedBy: (field, { anyOf }) => ({
    discriminator: {
      propertyName: field,
      mapping: Object.fromEntries(
        (anyOf as Json[]).map((schema) => [markOf(schema, String(field)), reference(String(schema.$id))]),
      ),
    },
  }),
  $id: () => ({}),
  trim: () => ({ 'x-trimmed': true }),
  sourceUrl: () => ({ minLength: 1 }),
  notBlank: () => ({ pattern: '\\S' }),
  someNotBlank: () => ({ contains: { type: 'string', pattern: '\\S' } }),
  maxUtf8Bytes: (bytes) => ({ 'x-max-utf8-bytes': bytes }),
  maxLines: (lines) => ({ 'x-max-lines': lines }),
  maxLineLength: (characters) => ({ 'x-max-line-length': characters }),
  maxJsonBytes: (bytes) => ({ 'x-max-json-bytes': bytes }),
  notBefore: (day) => ({ 'x-not-before': day }),
  textOrNumber: () => ({ type: ['string', 'number'] }),
  distinctNames: () => ({ 'x-distinct-names': true }),
  noControl: (kind) => ({ 'x-no-control-characters': kind }),
  spansOfDay: () => ({ 'x-spans-of-day': true }),
  noCitation: () => ({ not: { pattern: '\\[\\d+\\]' } }),
  wholeSchedule: () => ({ 'x-whole-schedule': true }),
  domainsWhenEnabled: () => ({ 'x-domains-when-enabled': true }),
  // Generators of clients turn this form into a record type.
  patternProperties: (value, _, schemas) => ({
    additionalProperties: plain(Object.values(value as Record<string, Json>)[0] ?? {}, schemas),
  }),
  // "If not A, then B" is "A or B".
  if: (condition, { then: that }) =>
    oneIsThere([(condition as { not: Required }).not, that as Required].flatMap(({ required }) => required)),
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: () => ({}),
  atLeastOneField: (_, { properties }) => oneIsThere(Object.keys(properties as Json)),
};

const reference = (name: string): string => `#/components/schemas/${name}`;

const markOf = ({ properties }: Json, field: string): unknown =>
  (properties as Record<string, Json>)[field]?.const;

/** Translates our keywords, and moves named schemas to `schemas`, leaving references. */
export function plain(schema: TSchema | Json, schemas: Json, here = false): unknown {
  const { $id } = schema as Json;
  if (typeof $id === 'string' && !here) {
    schemas[$id] ??= plain(schema, schemas, true);
    return { $ref: reference($id) };
  }
  const translated: Json = {};
  for (const [word, value] of Object.entries(schema)) {
    Object.assign(
      translated,
      translations[word]?.(value, schema, schemas) ?? { [word]: inner(word, value, schemas) },
    );
  }
  return translated;
}

const alternatives = new Set(['anyOf', 'oneOf', 'allOf']);

function inner(word: string, value: unknown, schemas: Json): unknown {
  if (word === 'properties') {
    return Object.fromEntries(
      Object.entries(value as Record<string, Json>).map(([name, field]) => [name, plain(field, schemas)]),
    );
  }
  if (alternatives.has(word)) return (value as Json[]).map((schema) => plain(schema, schemas));
  return word === 'items' ? plain(value as Json, schemas) : value;
}
