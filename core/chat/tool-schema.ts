import { _, type ErrorObject } from 'ajv';
import { LRUCache } from 'lru-cache';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../schemas/json.js';
import { draftOf } from './schema-drafts.js';
import { dataKeywords, schemaMaps } from './schema-keywords.js';

/** Returns the problems of a call's arguments, worded for the model; empty if valid. */
export type ArgumentsCheck = (input: JsonValue) => string[];

const MAX_PROBLEMS = 10;
/**
 * Maximum number of checks per call. A small schema can require checks that take minutes, or whose problems fill the
 * memory.
 */
const MAX_LOOKED_AT = 200_000;
const COMPILED_KEPT = 100;

/** Compiled checks by JSON text, because clients send the same tools with every message. */
const compiled = new LRUCache<string, ArgumentsCheck>({ max: COMPILED_KEPT });

/** Returns the cached or newly compiled check of a schema; `text` is its JSON. Throws if it cannot be compiled. */
export function argumentsCheck(schema: JsonObject, text = JSON.stringify(schema)): ArgumentsCheck {
  const check = compiled.get(text) ?? compileToolSchema(schema);
  compiled.set(text, check);
  return check;
}

class TooMuch extends Error {}

/**
 * Compiles a tool's input schema; throws if it is invalid. `pattern` and `format` only inform the model and are not
 * enforced, because a hostile pattern can run forever.
 */
export function compileToolSchema(schema: JsonObject): ArgumentsCheck {
  // One validator per schema, because two schemas may have the same $id.
  const ajv = draftOf(schema).compiler({
    allErrors: true,
    strict: false,
    validateFormats: false,
    logger: false,
    meta: false,
    validateSchema: false,
    // Compile each referenced schema once instead of once per reference.
    inlineRefs: false,
  });
  let lookedAt = 0;
  for (const keyword of ['pattern', 'patternProperties', 'uniqueItems']) ajv.removeKeyword(keyword);
  const count = (names: number, data: JsonValue): void => {
    lookedAt += 1 + names + (typeof data === 'object' && data !== null ? Object.keys(data).length : 0);
    if (lookedAt > MAX_LOOKED_AT) throw new TooMuch();
  };
  // Inlined into the compiled code. A function call per check would double the time.
  ajv.addKeyword({
    keyword: COUNTED,
    code({ gen, schema, data }) {
      gen.code(_`${gen.scopeValue('func', { ref: count })}(${schema}, ${data})`);
    },
  });
  // The built-in keyword compares every pair of items.
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (on: boolean, items: JsonValue[]) =>
      !on || new Set(items.map(canonicalJson)).size === items.length,
    error: { message: 'must not contain duplicate items' },
  });
  const validate = ajv.compile(prepared(schema));
  return (input) => {
    lookedAt = 0;
    try {
      if (validate(input)) return [];
    } catch (error) {
      // A schema that refers to itself without descending into the data overflows the stack.
      if (error instanceof TooMuch || error instanceof RangeError)
        return ['the arguments cannot be validated: the schema requires too many checks'];
      throw error;
    }
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords);
  };
}

/** Keyword that we add to every schema, to count the property names that are checked. */
const COUNTED = 'x-names-counted';
const requiringKeywords = ['required', 'dependentRequired', 'dependencies'];

const namesIn = (rule: JsonValue | undefined): number => {
  if (Array.isArray(rule)) return rule.length;
  return isJsonObject(rule)
    ? Object.values(rule).reduce<number>((sum, inner) => sum + (Array.isArray(inner) ? inner.length : 0), 0)
    : 0;
};

/** Prepares a schema for compilation: adds counters, and accepts properties that only a pattern would allow. */
function prepared(schema: JsonObject): JsonObject {
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
