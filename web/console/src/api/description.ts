import { Failure } from './failure.js';

/** The subset of JSON Schema used by the forms, with the API's descriptions. */
export interface Schema {
  type?: string | string[];
  enum?: (string | null)[];
  default?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  contains?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
  'x-max-utf8-bytes'?: number;
}

interface Operation {
  operationId: string;
  summary: string;
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let loading: Promise<Description> | null = null;

/** Loads the API's OpenAPI description once. All limits come from it. */
export function description(): Promise<Description> {
  loading ??= fetch('/openapi.json').then(async (response) => {
    if (!response.ok) throw new Failure('The description of the API could not be read.');
    return (await response.json()) as Description;
  });
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** Returns the schema of an operation's body; null if the operation is missing or has no body. */
export async function bodyOf(operationId: string): Promise<Schema | null> {
  const { paths, components } = await description();
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((candidate) => candidate.operationId === operationId);
  const schema = operation?.requestBody?.content['application/json'].schema;
  return schema ? resolved(schema, components.schemas) : null;
}

/** Inlines the references of a schema. */
function resolved(schema: Schema, known: Record<string, Schema>): Schema {
  const target = schema.$ref ? (known[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema;
  return {
    ...target,
    ...(target.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(target.properties).map(([name, field]) => [name, resolved(field, known)]),
          ),
        }
      : {}),
    ...(target.items ? { items: resolved(target.items, known) } : {}),
  };
}
