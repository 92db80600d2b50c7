import type { Owner } from '../fairness/owner.js';
import type { ToolDeclaration } from '../ports/model.port.js';
import type { ToolSchemas } from '../ports/tool-schemas.port.js';
import { type JsonObject, jsonText } from '../schemas/json.js';
import { limits } from '../schemas/limits.js';
import { schemasIn } from './schema-keywords.js';
import { referenceProblem } from './schema-references.js';

/** Maximum number of schemas in all tools of a request. Each takes about 0.2 ms to compile. */
const MAX_SCHEMAS = 600;
/** Maximum nesting, because the compiler and the checks recurse into schemas. */
const MAX_DEPTH = 50;

interface Declared {
  /** Location of the schema, for error messages. */
  path: string;
  schema: JsonObject;
  text: string;
}

/**
 * Returns the reason for each tool whose input schema cannot be used: not an object type, external references, too large,
 * too deep, not compilable, or too many schemas in total.
 */
export async function toolProblems(
  tools: readonly Pick<ToolDeclaration, 'inputSchema'>[],
  toolSchemas: Pick<ToolSchemas, 'schemaProblems'>,
  owner: Owner,
): Promise<string[]> {
  const problems: string[] = [];
  const usable: Declared[] = [];
  let schemas = 0;
  for (const declared of declarations(tools, problems)) {
    let deepest = 0;
    for (const { depth } of schemasIn(declared.schema)) {
      schemas += 1;
      if (schemas > MAX_SCHEMAS)
        return [...problems, `must not contain more than ${MAX_SCHEMAS} schemas in total`];
      deepest = Math.max(deepest, depth);
    }
    const problem =
      deepest > MAX_DEPTH ? `must not nest more than ${MAX_DEPTH} levels` : formProblem(declared);
    if (problem === null) usable.push(declared);
    else problems.push(`${declared.path} ${problem}`);
  }
  if (usable.length === 0) return problems;
  const found = await toolSchemas.schemaProblems(
    usable.map(({ text }) => text),
    owner,
  );
  for (const [n, { path }] of usable.entries())
    if (found[n]) problems.push(`${path} cannot be used: ${found[n]}`);
  return problems;
}

function declarations(
  tools: readonly Pick<ToolDeclaration, 'inputSchema'>[],
  problems: string[],
): Declared[] {
  const { toolSchemaBytes } = limits.chat;
  const declared: Declared[] = [];
  for (const [n, { inputSchema: schema }] of tools.entries()) {
    const path = `tools[${n}].inputSchema`;
    const text = jsonText(schema);
    if (text === null || Buffer.byteLength(text) > toolSchemaBytes)
      problems.push(`${path} must be at most ${toolSchemaBytes} bytes as JSON`);
    else declared.push({ path, schema, text });
  }
  return declared;
}

const formProblem = ({ schema }: Declared): string | null =>
  schema.type === 'object' ? referenceProblem(schema) : 'must have the type "object"';
