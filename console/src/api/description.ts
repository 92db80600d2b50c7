import { Failure } from './failure.js';

/** The part of JSON Schema that our forms understand, with the API's own words. */
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

/** The API's description of itself: the one place of all limits. Asked for once. */
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

/** The schema of the body that an operation takes; null where there is no such operation, or it takes none. */
export async function bodyOf(operationId: string): Promise<Schema | null> {
  const { paths, components } = await description();
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((candidate) => candidate.operationId === operationId);
  const schema = operation?.requestBody?.content['application/json'].schema;
  return schema ? resolved(schema, components.schemas) : null;
}

/** A schema with what it refers to in its place. */
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
