import { toolProblems } from '../../chat/tool-problems.js';
import type { Owner } from '../../fairness/owner.js';
import type { ToolDeclaration } from '../../ports/model.port.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Services } from '../services.js';
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
  tools: readonly SentTool[],
  { toolSchemas }: Pick<Services, 'toolSchemas'>,
  owner: Owner,
): Promise<string[]> {
  const declared = declarationsOf(tools);
  const found = await toolProblems(declared, toolSchemas, owner);
  if (new Set(declared.map(({ name }) => name)).size < declared.length)
    found.push('must have different names');
  return found.map((problem) => problem.replace('.inputSchema', '.function.parameters'));
}
