import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { violationSentences } from '../config/violation.js';
import { isObject } from './plugin-shape.js';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// Plugins may annotate their schemas with words of their own, so unknown keywords are no fault. One instance
// for all of them, because each would compile the meta-schema anew. Two plugins may use the same $id.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  logger: false,
  addUsedSchema: false,
  // Done below, where it is needed.
  validateSchema: false,
});
ajvFormats.default(ajv);

function compile(schema: Record<string, unknown>, isOurs: boolean): ValidateFunction | string {
  try {
    // A test holds ours against the meta-schema, whose compilation takes longer than all of theirs.
    if (!isOurs) void ajv.validateSchema(schema, true);
    return ajv.compile(schema);
  } catch (error) {
    return `its optionsSchema is not a valid JSON Schema (2020-12): ${messageOf(error)}`;
  }
}

/**
 * A copy of the options with the defaults of the plugin's schema, or all that is wrong with them. A schema
 * that is not ours (`isOurs`) is checked as well. Shows no values.
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
