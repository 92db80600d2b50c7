import { isJsonObject, type JsonObject, type JsonValue } from '../schemas/json.js';

/** Keywords whose value maps names to schemas, so that the names are not keywords. */
export const schemaMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords whose value is data, not a schema. */
export const dataKeywords: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'dependentRequired',
]);

/** Yields a schema and its subschemas with their depth. Iterative, because the client decides the nesting. */
export function* schemasIn(root: JsonObject): Generator<{ schema: JsonObject; depth: number }> {
  const rest: { value: JsonValue; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, depth } = next;
    const put = (inner: JsonValue) => rest.push({ value: inner, depth: depth + 1 });
    if (Array.isArray(value)) for (const inner of value) put(inner);
    if (!isJsonObject(value)) continue;
    yield { schema: value, depth };
    for (const [keyword, inner] of Object.entries(value)) {
      if (dataKeywords.has(keyword)) continue;
      if (schemaMaps.has(keyword) && isJsonObject(inner))
        for (const schema of Object.values(inner)) put(schema);
      else put(inner);
    }
  }
}
