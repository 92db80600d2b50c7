import { toolProblems } from '../../chat/tool-problems.js';
import type { Owner } from '../../fairness/owner.js';
import type { ToolDeclaration } from '../../ports/model.port.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../schemas/json.js';
import type { Services } from '../services.js';
import type { FieldErrors } from '../validation/validate.js';
import type { SentTool } from './completions.schema.js';

/** The schema of a tool without parameters. */
const noParameters = (): JsonObject => ({ type: 'object', properties: {} });

/** Converts the tools to declarations of the model port. */
export const declarationsOf = (tools: readonly SentTool[]): ToolDeclaration[] =>
  tools.map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description == null ? {} : { description }),
    inputSchema: parameters ?? noParameters(),
  }));

/** Finds tools with the same name, and tools whose schemas cannot be compiled. */
export async function sentToolProblems(
  { tools }: JsonObject,
  { toolSchemas }: Pick<Services, 'toolSchemas'>,
  owner: Owner,
): Promise<FieldErrors> {
  if (!Array.isArray(tools)) return {};
  const functions = tools.map((tool) => (isJsonObject(tool) ? tool.function : undefined));
  const names = functions.map((called) => (isJsonObject(called) ? called.name : undefined));
  const found = await toolProblems(functions.map(schemaOf), toolSchemas, owner);
  if (new Set(names).size < names.length) found.push('must have different names');
  return found.length === 0
    ? {}
    : { tools: found.map((problem) => problem.replace('.inputSchema', '.function.parameters')) };
}

const schemaOf = (called: JsonValue | undefined): JsonObject => ({
  inputSchema: (isJsonObject(called) ? called.parameters : undefined) ?? noParameters(),
});
