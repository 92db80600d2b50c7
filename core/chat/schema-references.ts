import { isJsonObject, type JsonObject, type JsonValue } from '../schemas/json.js';
import { schemasIn } from './schema-keywords.js';

/** Keywords that refer to another schema, in any draft. */
const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** Returns why a reference leaves the schema, or null. */
export function referenceProblem(schema: JsonObject): string | null {
  for (const reference of referencesOf(schema)) {
    if (typeof reference !== 'string' || !reference.startsWith('#'))
      return 'must not reference anything outside itself';
    if (!resolves(schema, reference)) return `references ${reference}, which it does not contain`;
  }
  return null;
}

function* referencesOf(root: JsonObject): Generator<JsonValue> {
  for (const { schema } of schemasIn(root))
    for (const keyword of referenceKeywords) if (schema[keyword] !== undefined) yield schema[keyword];
}

/** Returns whether a JSON Pointer (RFC 6901) or an anchor resolves. */
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
