import type { Static, TSchema } from '@sinclair/typebox';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type ApiError, invalidBody, invalidFields } from '../../errors/api-error.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { addVocabulary, formatProblems } from './keywords.js';

// Default export of a CommonJS module.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

interface Rigour {
  /** If false, validation stops at the first problem. */
  allErrors: boolean;
  removeAdditional: 'all' | false;
}

const build = ({ allErrors, removeAdditional }: Rigour): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors,
    strict: true,
    // A condition may require a field that another part of the schema defines.
    strictRequired: false,
    allowUnionTypes: true,
    removeAdditional,
    ownProperties: true,
    // The same $id occurs in several schemas.
    addUsedSchema: false,
    // Adds the schema to each error.
    verbose: true,
    // A test validates the schemas; compiling the meta-schema would cost more than all of them.
    validateSchema: false,
  });
  addFormats(ajv, ['uuid', 'date']);
  addVocabulary(ajv);
  return ajv;
};

type Validator = (schema: TSchema) => ValidateFunction;

/** Compiles schemas lazily: compiling all of them would take a third of the start. */
function validator(rigour: Rigour): Validator {
  let ajv: Ajv2020 | undefined;
  const compiled = new WeakMap<TSchema, ValidateFunction>();
  return (schema) => {
    let validate = compiled.get(schema);
    if (validate === undefined) {
      ajv ??= build(rigour);
      validate = ajv.compile(schema);
      compiled.set(schema, validate);
    }
    return validate;
  };
}

// Unknown fields are removed.
const input = validator({ allErrors: false, removeAdditional: 'all' });
const inputInFull = validator({ allErrors: true, removeAdditional: 'all' });
const output = validator({ allErrors: true, removeAdditional: false });

/** Problems by name of the field or parameter. */
export type FieldErrors = Record<string, string[]>;

/** Returns the problems of a value, if any. */
type FieldCheck<Value, Context extends unknown[]> = (
  value: Value,
  ...context: Context
) => Found | Promise<Found>;
type Found = string[] | string | null;

/**
 * Additional checks, by field. They run only on values that the schema accepts, so its limits bound their work.
 */
export type FieldChecks<T, Context extends unknown[]> = {
  [F in keyof T]?: FieldCheck<NonNullable<T[F]>, Context>;
};

/**
 * Validates the input, drops unknown fields and applies `trim`. Throws VALIDATION_INVALID_BODY with all problems,
 * including `problems` found before.
 */
export function validInput<S extends TSchema>(
  schema: S,
  sent: unknown,
  problems: FieldErrors = {},
): Static<S> {
  const found = problemsOf(schema, sent);
  if (found === null && Object.keys(problems).length === 0) return sent as Static<S>;
  throw invalid(found ?? NO_PROBLEMS, problems);
}

/** Validates like `validInput`, then runs `checks` on the fields that the schema accepts. */
export async function validBody<S extends TSchema, Context extends unknown[]>(
  schema: S,
  sent: JsonObject,
  problems: FieldErrors,
  checks: FieldChecks<Static<S>, Context>,
  ...context: Context
): Promise<Static<S>> {
  const found = problemsOf(schema, sent);
  const failing: FieldErrors = { ...problems };
  for (const [field, check] of Object.entries(checks) as [string, FieldCheck<unknown, Context>][]) {
    const value = Object.hasOwn(sent, field) ? sent[field] : null;
    if (value == null || found?.fields[field]) continue;
    const more = [(await check(value, ...context)) ?? []].flat();
    if (more.length > 0) failing[field] = more;
  }
  if (found === null && Object.keys(failing).length === 0) return sent as Static<S>;
  throw invalid(found ?? NO_PROBLEMS, failing);
}

interface SchemaProblems {
  fields: FieldErrors;
  /** Problems of the value as a whole. */
  general: string[];
}

const NO_PROBLEMS: SchemaProblems = { fields: {}, general: [] };

/** Returns the problems of the value; null if it is valid. */
function problemsOf(schema: TSchema, sent: unknown): SchemaProblems | null {
  const validate = input(schema);
  return validate(sent) ? null : byField(allProblems(schema, sent, validate.errors ?? []));
}

/**
 * Maximum number of entries of a list that are checked for all problems, because reporting thousands would block other
 * requests. One more than the longest valid list, so that an excessive length is reported, too.
 */
const ENTRIES_EXPLAINED = limits.domains.max + 1;

function allProblems(schema: TSchema, sent: unknown, first: ErrorObject[]): ErrorObject[] {
  shorten(sent);
  const validate = inputInFull(schema);
  validate(sent);
  // The first problem may be in an entry beyond the maximum.
  return [...first, ...(validate.errors ?? [])];
}

/** Shortens long lists in place. Checks two levels, because no schema has deeper lists. */
function shorten(value: unknown, depth = 2): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const inner of Object.values(value)) {
    if (!Array.isArray(inner)) shorten(inner, depth - 1);
    else if (inner.length > ENTRIES_EXPLAINED) inner.length = ENTRIES_EXPLAINED;
  }
}

/** Returns the problems of a response, for tests and development. */
export function outputProblems(schema: TSchema, body: unknown): string[] {
  const validate = output(schema);
  // JSON drops `undefined` fields.
  if (validate(JSON.parse(JSON.stringify(body)))) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message}`);
}

function invalid({ fields, general }: SchemaProblems, problems: FieldErrors): ApiError {
  const fieldErrors: FieldErrors = Object.assign(Object.create(null), fields);
  for (const [field, found] of Object.entries(problems))
    fieldErrors[field] = [...new Set([...found, ...(fieldErrors[field] ?? [])])];
  return Object.keys(fieldErrors).length === 0
    ? invalidBody(`The body ${general.join(' and ')}.`)
    : invalidFields(fieldErrors);
}

function byField(errors: ErrorObject[]): SchemaProblems {
  const fields: FieldErrors = Object.create(null);
  const general: string[] = [];
  for (const error of errors.flatMap(eachOfMany)) {
    const path = pathOf(error);
    const [field] = path;
    const problem = problemOf(error);
    if (field === undefined) {
      if (!general.includes(problem)) general.push(problem);
      continue;
    }
    const message = path.length === 1 ? problem : `${nested(path)} ${problem}`;
    fields[field] ??= [];
    const messages = fields[field];
    if (!messages.includes(message)) messages.push(message);
  }
  return { fields, general };
}

/** Returns an error for each field if mutually exclusive fields were sent together. */
function eachOfMany(error: ErrorObject): ErrorObject[] {
  const { keyword, params, schema, instancePath } = error;
  if (keyword !== 'oneOf' || params.passingSchemas === null) return [error];
  const held = (params.passingSchemas as number[]).flatMap((at) => (schema as TSchema[])[at]?.required ?? []);
  if (held.length === 0) return [error];
  return held.map((name: string) => ({
    ...error,
    instancePath: `${instancePath}/${name}`,
    message: `must not be combined with ${held.filter((other: string) => other !== name).join(', ')}`,
  }));
}

function pathOf(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return error.keyword === 'required' ? [...path, String(error.params.missingProperty)] : path;
}

/** Returns the name of a nested field, such as `questions[3]` or `rateLimit.maxMessages`. */
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
    case 'minItems':
      return `must have at least ${params.limit} entr${params.limit === 1 ? 'y' : 'ies'}`;
    case 'maxItems':
      return `must have at most ${params.limit} entries`;
    default:
      return message ?? 'is not valid';
  }
}
