import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { violationSentences } from '../config/violation.js';
import { isObject } from './plugin-shape.js';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// Unknown keywords are allowed, because plugins may annotate their schemas. One instance is shared, because each
// instance compiles the meta-schema. Schemas are not registered, because two plugins may use the same $id.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  logger: false,
  addUsedSchema: false,
  // `compile` validates schemas where needed.
  validateSchema: false,
});
ajvFormats.default(ajv);

function compile(schema: Record<string, unknown>, isOurs: boolean): ValidateFunction | string {
  try {
    // A test validates the schemas of built-in plugins. Here, compiling the meta-schema would take longer than
    // compiling all of them.
    if (!isOurs) void ajv.validateSchema(schema, true);
    return ajv.compile(schema);
  } catch (error) {
    return `its optionsSchema is not a valid JSON Schema (2020-12): ${messageOf(error)}`;
  }
}

/**
 * Returns a copy of the options with defaults, or all problems, without values. The schema itself is also validated,
 * unless it belongs to a built-in plugin (`isOurs`).
 */
export function checkOptions(
  schema: Record<string, unknown>,
  options: unknown,
  isOurs: boolean,
): { options: Record<string, unknown> } | { problems: string[] } {
  const validate = compile(schema, isOurs);
  if (typeof validate === 'string') return { problems: [validate] };
  const copy: unknown = structuredClone(options);
  if (!isObject(copy)) return { problems: ['its options must be an object'] };
  if (validate(copy)) return { options: copy };
  return {
    problems: violationSentences(validate.errors ?? [], 'they').map((text) => `options: ${text}`),
  };
}
