import { argumentsCheck } from '../../core/chat/tool-schema.js';
import type { JsonObject, JsonValue } from '../../core/schemas/json.js';

export interface SchemaTask {
  /** Schemas as JSON text. */
  schemas: readonly string[];
  /** Arguments to check against the only schema. If they are missing, the schemas themselves are checked. */
  input?: JsonValue;
}

/** Maximum characters of a problem's description, which may contain long names from schemas and arguments. */
const MAX_PROBLEM = 500;

/**
 * Returns the problem of each schema, or null for a valid one; with `input`, returns the problems of the arguments.
 */
export function checkSchemas({ schemas, input }: SchemaTask): (string | null)[] {
  const [text = ''] = schemas;
  const problems =
    input === undefined
      ? schemas.map(schemaProblem)
      : argumentsCheck(JSON.parse(text) as JsonObject, text)(input);
  return problems.map((problem) => problem && shortened(problem));
}

function schemaProblem(text: string): string | null {
  try {
    argumentsCheck(JSON.parse(text) as JsonObject, text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const shortened = (problem: string): string =>
  problem.length > MAX_PROBLEM ? `${problem.slice(0, MAX_PROBLEM)}…` : problem;
