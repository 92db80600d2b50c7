import { setImmediate as letOthersIn } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue, jsonText } from '../schemas/json.js';
import { limits } from '../schemas/limits.js';
import { prepareDraft } from './schema-drafts.js';
import { schemasIn } from './schema-keywords.js';
import { referenceProblem } from './schema-references.js';
import { argumentsCheck } from './tool-schema.js';

/** Of all tools of a request together: each takes about 0.2 ms to compile. */
const MAX_SCHEMAS = 600;
/** Compilers and checks go down into schemas by recursion. */
const MAX_DEPTH = 50;

interface Declared {
  /** In the words of a message. */
  place: string;
  schema: JsonObject;
  /** The schema as JSON. */
  text: string;
}

/**
 * Which of these tools have an input schema that cannot be used, and why: no type object, references out of itself,
 * too long, too deep, impossible to compile, or too many in all. Takes what was sent as it is, and leaves alone what
 * the schema of the request refuses. Takes at most some tenths of a second of processor, and lets others in between
 * two tools.
 */
export async function toolProblems(sent: JsonValue | undefined): Promise<string[]> {
  const problems: string[] = [];
  const shallow: Declared[] = [];
  let schemas = 0;
  for (const declared of declarations(sent, problems)) {
    let deepest = 0;
    for (const { depth } of schemasIn(declared.schema)) {
      schemas += 1;
      if (schemas > MAX_SCHEMAS)
        return [...problems, `must not hold more than ${MAX_SCHEMAS} schemas together`];
      deepest = Math.max(deepest, depth);
    }
    if (deepest <= MAX_DEPTH) shallow.push(declared);
    else problems.push(`${declared.place} must not nest more than ${MAX_DEPTH} levels`);
  }
  for (const { place, schema, text } of shallow) {
    await letOthersIn();
    await prepareDraft(schema, letOthersIn);
    const problem = schemaProblem(schema, text);
    if (problem !== null) problems.push(`${place} ${problem}`);
  }
  return problems;
}

function declarations(sent: JsonValue | undefined, problems: string[]): Declared[] {
  const { tools, toolSchemaBytes } = limits.chat;
  if (!Array.isArray(sent) || sent.length > tools) return [];
  const declared: Declared[] = [];
  for (const [n, tool] of sent.entries()) {
    const schema = isJsonObject(tool) ? tool.inputSchema : null;
    if (!isJsonObject(schema)) continue;
    const place = `tools[${n}].inputSchema`;
    const text = jsonText(schema);
    if (text === null || Buffer.byteLength(text) > toolSchemaBytes)
      problems.push(`${place} must be at most ${toolSchemaBytes} bytes as JSON`);
    else declared.push({ place, schema, text });
  }
  return declared;
}

function schemaProblem(schema: JsonObject, text: string): string | null {
  if (schema.type !== 'object') return 'must have the type "object"';
  const problem = referenceProblem(schema);
  if (problem !== null) return problem;
  try {
    argumentsCheck(schema, text);
    return null;
  } catch (error) {
    return `cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
