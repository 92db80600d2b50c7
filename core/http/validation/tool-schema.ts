import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemasIn } from '../../chat/schema-keywords.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../schemas/json.js';

// Only for their meta-schemas: a schema that a client sent is looked at here, and never made into code.
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** What is wrong with the schema that a client declares for the input of one of its tools; null when nothing is. Pure. */
export function toolSchemaProblem(schema: JsonObject): string | null {
  if (schema.type !== 'object') return 'must have the type "object"';
  // Whatever draft it names: what tools use is the same in all of them.
  const { $schema: _, ...rest } = schema;
  try {
    if (ajv.validateSchema(rest) !== true)
      return `must be a JSON Schema: ${ajv.errorsText(ajv.errors, { dataVar: 'inputSchema' })}`;
  } catch {
    return 'must be a JSON Schema';
  }
  for (const reference of referencesOf(schema)) {
    if (typeof reference !== 'string' || !reference.startsWith('#'))
      return 'must not refer to anything outside of itself';
    if (!resolves(schema, reference)) return `refers to ${reference}, which it does not hold`;
  }
  return null;
}

function* referencesOf(root: JsonObject): Generator<JsonValue> {
  for (const { schema } of schemasIn(root))
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef'])
      if (schema[keyword] !== undefined) yield schema[keyword];
}

/** A JSON Pointer (RFC 6901) or an anchor. */
function resolves(root: JsonObject, reference: string): boolean {
  const fragment = decoded(reference.slice(1));
  if (fragment === '') return true;
  if (!fragment.startsWith('/')) {
    for (const { schema } of schemasIn(root))
      if (schema.$anchor === fragment || schema.$dynamicAnchor === fragment || schema.$id === `#${fragment}`)
        return true;
    return false;
  }
  let value: JsonValue | undefined = root;
  for (const step of fragment.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value !== undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
