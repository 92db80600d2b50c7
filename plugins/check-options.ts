import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { violationSentences } from '../config/violation.js';
import { isObject } from './plugin-shape.js';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// Plugins may annotate their schemas, so unknown keywords are allowed. One instance is shared, because each would
// compile the meta-schema again. Two plugins may use the same $id.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  logger: false,
  addUsedSchema: false,
  // Done below, only where needed.
  validateSchema: false,
});
ajvFormats.default(ajv);

function compile(schema: Record<string, unknown>, isOurs: boolean): ValidateFunction | string {
  try {
    // A test validates the schemas of built-in plugins, because compiling the meta-schema takes longer than compiling
    // them all.
    if (!isOurs) void ajv.validateSchema(schema, true);
    return ajv.compile(schema);
  } catch (error) {
    return `its optionsSchema is not a valid JSON Schema (2020-12): ${messageOf(error)}`;
  }
}

/**
 * Returns a copy of the options with defaults, or all their problems, without values. A schema other than a built-in
 * plugin's (`isOurs`) is validated as well.
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
