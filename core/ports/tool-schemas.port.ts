import type { Owner } from '../fairness/owner.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';

/** Checks the schemas of tools, and the arguments of their calls, without holding up the event loop. */
export interface ToolSchemas {
  /**
   * Returns for each schema, given as JSON text, the reason why it cannot be used; null if it can. Rejects with
   * ToolSchemasBusy.
   */
  schemaProblems(schemas: readonly string[], owner: Owner): Promise<(string | null)[]>;
  /**
   * Returns the problems of the arguments, worded for a model; empty if they match the schema. Rejects if the schema
   * cannot be used.
   */
  argumentProblems(schema: JsonObject, input: JsonValue, owner: Owner): Promise<string[]>;
}

/** Nothing was checked. Temporary. */
export class ToolSchemasBusy extends Error {
  constructor() {
    super('too many tool schemas wait to be checked');
    this.name = 'ToolSchemasBusy';
  }
}
