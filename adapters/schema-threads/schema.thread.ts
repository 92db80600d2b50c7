import { argumentsCheck } from '../../core/chat/tool-schema.js';
import type { JsonObject, JsonValue } from '../../core/schemas/json.js';

/** The input of one call of the thread. */
export interface SchemaTask {
  /** Schemas as JSON text. */
  schemas: readonly string[];
  /** Arguments that are checked against the only schema; without them, the schemas themselves are checked. */
  input?: JsonValue;
}

/** Returns what is wrong with each schema (null: nothing), or with the arguments. */
export function checkSchemas({ schemas, input }: SchemaTask): (string | null)[] {
  if (input === undefined) return schemas.map(schemaProblem);
  const [text = ''] = schemas;
  return argumentsCheck(JSON.parse(text) as JsonObject, text)(input);
}

function schemaProblem(text: string): string | null {
  try {
    argumentsCheck(JSON.parse(text) as JsonObject, text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
