import { _, type ErrorObject } from 'ajv';
import { LRUCache } from 'lru-cache';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../schemas/json.js';
import { draftOf } from './schema-drafts.js';
import { dataKeywords, schemaMaps } from './schema-keywords.js';

/** What is wrong with the arguments of a call, in words for the model; empty when they fit. */
export type ArgumentsCheck = (input: JsonValue) => string[];

const MAX_PROBLEMS = 10;
/** A small schema can ask for more checks than there is time for, and find more problems than there is memory for. */
const MAX_LOOKED_AT = 200_000;
const COMPILED_KEPT = 100;

/** The same tools come with every message. */
const compiled = new LRUCache<string, ArgumentsCheck>({ max: COMPILED_KEPT });

/** The check that belongs to this schema, whose JSON is `text`. Throws when there can be none. */
export function argumentsCheck(schema: JsonObject, text = JSON.stringify(schema)): ArgumentsCheck {
  const check = compiled.get(text) ?? compileToolSchema(schema);
  compiled.set(text, check);
  return check;
}

class TooMuch extends Error {}

/**
 * Compiles the schema that a client declares for its action; throws when it is none. `pattern` and `format`
 * are for the model alone: they are never run here, because a pattern can be made to run for ever.
 */
export function compileToolSchema(schema: JsonObject): ArgumentsCheck {
  // One validator for each schema: a later one may have the same $id.
  const ajv = draftOf(schema).compiler({
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // What is referred to is compiled once, not in the place of each reference.
    inlineRefs: false,
  });
  let lookedAt = 0;
  for (const keyword of ['pattern', 'patternProperties', 'uniqueItems']) ajv.removeKeyword(keyword);
  const count = (names: number, data: JsonValue): void => {
    lookedAt += 1 + names + (typeof data === 'object' && data !== null ? Object.keys(data).length : 0);
    if (lookedAt > MAX_LOOKED_AT) throw new TooMuch();
  };
  // A line in the compiled program. A function of its own, which the program would have to call and ask for
  // problems, would double the time.
  ajv.addKeyword({
    keyword: COUNTED,
    code({ gen, schema, data }) {
      gen.code(_`${gen.scopeValue('func', { ref: count })}(${schema}, ${data})`);
    },
  });
  // The compiler's own compares every item with every other one.
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (on: boolean, items: JsonValue[]) =>
      !on || new Set(items.map(canonicalJson)).size === items.length,
    error: { message: 'must not hold the same item twice' },
  });
  const validate = ajv.compile(prepared(schema));
  return (input) => {
    lookedAt = 0;
    try {
      if (validate(input)) return [];
    } catch (error) {
      // The stack is used up by a schema that refers to itself without going on in the data.
      if (error instanceof TooMuch || error instanceof RangeError)
        return ['the arguments cannot be checked: the schema asks for too much'];
      throw error;
    }
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords);
  };
}

/** Ours, in every schema: how many names it may find missing. */
const COUNTED = 'x-names-counted';
const requiringKeywords = ['required', 'dependentRequired', 'dependencies'];

const namesIn = (rule: JsonValue | undefined): number => {
  if (Array.isArray(rule)) return rule.length;
  return isJsonObject(rule)
    ? Object.values(rule).reduce<number>((sum, inner) => sum + (Array.isArray(inner) ? inner.length : 0), 0)
    : 0;
};

/**
 * The schema as it is compiled: what it looks at is counted, and properties that only a pattern
 * allows are not refused.
 */
function prepared(schema: JsonObject): JsonObject {
  // Its draft is known.
  const { $schema: _draft, $async: _async, ...rest } = schema;
  const kept = Object.entries(rest).filter(
    ([keyword, rule]) =>
      !(
        'patternProperties' in schema &&
        keyword.endsWith('Properties') &&
        keyword !== 'properties' &&
        rule === false
      ),
  );
  const inner = (keyword: string, rule: JsonValue): JsonValue => {
    if (dataKeywords.has(keyword)) return rule;
    if (schemaMaps.has(keyword) && isJsonObject(rule))
      return Object.fromEntries(Object.entries(rule).map(([name, value]) => [name, preparedValue(value)]));
    return preparedValue(rule);
  };
  return {
    ...Object.fromEntries(kept.map(([keyword, rule]) => [keyword, inner(keyword, rule)])),
    [COUNTED]: requiringKeywords.reduce((sum, keyword) => sum + namesIn(schema[keyword]), 0),
  };
}

const preparedValue = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(preparedValue);
  return isJsonObject(value) ? prepared(value) : value;
};

const inWords = ({ instancePath, message, params, keyword }: ErrorObject): string => {
  const place = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.');
  const name = keyword === 'additionalProperties' ? ` (${String(params.additionalProperty)})` : '';
  return `${place} ${message ?? 'are not valid'}${name}`;
};
