import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';

/** What is wrong with the arguments of a call, in words for the model; empty when they fit. */
export type ArgumentsCheck = (input: JsonValue) => string[];

const MAX_PROBLEMS = 10;

/**
 * Compiles the schema that a client declares for its action; throws when it is none. `pattern` and `format` are the model's to read: they are
 * never run here, for a pattern can be made to run for ever.
 */
export function compileToolSchema(schema: JsonObject): ArgumentsCheck {
  // One validator for each schema: a later one may have the same $id.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
  ajv.removeKeyword('pattern');
  ajv.removeKeyword('patternProperties');
  // Whatever draft it names: what tools use is the same in all of them.
  const { $schema: _, ...rest } = schema;
  const validate = ajv.compile(withoutPatterns(rest) as JsonObject);
  return (input) => {
    if (validate(input)) return [];
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords);
  };
}

/** Properties that a pattern allows must not be refused because nothing else allows them. */
function withoutPatterns(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([keyword, rule]) =>
      !(
        'patternProperties' in value &&
        keyword.endsWith('Properties') &&
        keyword !== 'properties' &&
        rule === false
      ),
  );
  return Object.fromEntries(kept.map(([keyword, rule]) => [keyword, withoutPatterns(rule)]));
}

const inWords = ({ instancePath, message, params, keyword }: ErrorObject): string => {
  const place = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.');
  const name = keyword === 'additionalProperties' ? ` (${String(params.additionalProperty)})` : '';
  return `${place} ${message ?? 'are not valid'}${name}`;
};
