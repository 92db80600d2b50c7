import type { Static, TSchema } from '@sinclair/typebox';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { ApiError } from '../errors/api-error.js';
import { addVocabulary, formatProblems } from './keywords.js';

// A CommonJS default export, seen from an ES module.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const build = (removeAdditional: 'all' | false): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    removeAdditional,
    ownProperties: true,
    // An agent is an answer of its own and part of a list: its $id may be met twice.
    addUsedSchema: false,
  });
  addFormats(ajv, ['uuid']);
  addVocabulary(ajv);
  return ajv;
};

// Unknown fields are ignored: they are gone before anything else sees the input.
const inputs = build('all');
const outputs = build(false);

const compiled = new WeakMap<TSchema, ValidateFunction>();

function validator(ajv: Ajv2020, schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

/** Compiles at boot, so that a schema with a mistake stops the process and not a request. */
export const compileInput = (schema: TSchema): void => void validator(inputs, schema);

/** Field (or path or query parameter) name to what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

/**
 * The input as its schema knows it: unknown fields dropped, `trim` applied. Throws VALIDATION_INVALID_BODY that names every failing field,
 * also those of `problems`, which were found before. No value is coerced.
 */
export function validInput<S extends TSchema>(
  schema: S,
  input: unknown,
  problems: FieldErrors = {},
): Static<S> {
  const validate = validator(inputs, schema);
  const valid = validate(input);
  if (valid && Object.keys(problems).length === 0) return input as Static<S>;
  throw invalid(validate.errors ?? [], problems);
}

/** Problems of an answer; for tests and development. */
export function outputProblems(schema: TSchema, output: unknown): string[] {
  const validate = validator(outputs, schema);
  // What travels is JSON: `undefined` fields do not.
  if (validate(JSON.parse(JSON.stringify(output)))) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
}

function invalid(errors: ErrorObject[], problems: FieldErrors): ApiError {
  const fieldErrors: FieldErrors = Object.assign(Object.create(null), problems);
  const general: string[] = [];
  for (const error of errors) {
    const path = pathOf(error);
    const [field] = path;
    const problem = problemOf(error);
    if (field === undefined) {
      general.push(problem);
      continue;
    }
    const message = path.length === 1 ? problem : `${nested(path)} ${problem}`;
    fieldErrors[field] ??= [];
    const messages = fieldErrors[field];
    if (!messages.includes(message)) messages.push(message);
  }
  const fields = Object.keys(fieldErrors);
  const message =
    fields.length === 0
      ? `The body ${general.join(' and ')}.`
      : `Not valid: ${fields.join(', ')}. See details.fieldErrors.`;
  return new ApiError('VALIDATION_INVALID_BODY', {
    message,
    ...(fields.length === 0 ? {} : { details: { fieldErrors } }),
  });
}

function pathOf(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return error.keyword === 'required' ? [...path, String(error.params.missingProperty)] : path;
}

/** `questions[3]`, `rateLimit.maxMessages` */
const nested = (path: string[]): string =>
  path.reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : `${text}.${part}`));

function problemOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`;
    case 'format':
      return formatProblems[String(params.format)] ?? message ?? 'is not valid';
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    case 'minLength':
      return `must have at least ${params.limit} character${params.limit === 1 ? '' : 's'}`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minItems':
      return `must have at least ${params.limit} entr${params.limit === 1 ? 'y' : 'ies'}`;
    case 'maxItems':
      return `must have at most ${params.limit} entries`;
    default:
      return message ?? 'is not valid';
  }
}
