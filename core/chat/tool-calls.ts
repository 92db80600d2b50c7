import { v7 as uuidv7 } from 'uuid';
import { ModelFailure, type ModelMessage, type ToolDeclaration } from '../ports/model.port.js';
import { type ToolSchemas, ToolSchemasBusy } from '../ports/tool-schemas.port.js';
import type { JsonObject, JsonValue } from '../schemas/json.js';
import type { Party } from '../tasks/party.js';
import type { AnswerEvent } from './answerer.js';

/** A call as the model wrote it. */
export interface WrittenCall {
  toolName: string;
  /** JSON text. */
  arguments: string;
}

/** A call held against the schema of its tool. */
export interface CheckedCall {
  /** Ours, unique in the installation. */
  toolCallId: string;
  toolName: string;
  /** As it was written. */
  arguments: string;
  input: JsonObject;
  /** Empty when the client may have it. */
  problems: string[];
}

const MAX_ARGUMENT_BYTES = 262_144;

/** The declared tools, and what their arguments are checked with. */
export interface CallChecks {
  tools: readonly ToolDeclaration[];
  toolSchemas: Pick<ToolSchemas, 'argumentProblems'>;
  party: Party;
}

/**
 * Checks the arguments of these calls. Rejects with MODEL_BAD_ANSWER for a tool that was not declared, and with
 * MODEL_UNAVAILABLE if the checks did not finish in time.
 */
export async function checkCalls(calls: readonly WrittenCall[], checks: CallChecks): Promise<CheckedCall[]> {
  const results: CheckedCall[] = [];
  // One after the other: an answer has at most one check in the workspace's bounded queue.
  for (const { toolName, arguments: written } of calls) {
    const tool = checks.tools.find(({ name }) => name === toolName);
    if (tool === undefined)
      throw new ModelFailure('MODEL_BAD_ANSWER', 'the model called a tool that was not declared');
    results.push({
      toolCallId: `call_${uuidv7()}`,
      toolName,
      arguments: written,
      ...(await checked(written, tool, checks)),
    });
  }
  return results;
}

async function checked(
  written: string,
  tool: ToolDeclaration,
  checks: CallChecks,
): Promise<Pick<CheckedCall, 'input' | 'problems'>> {
  if (Buffer.byteLength(written) > MAX_ARGUMENT_BYTES)
    return { input: {}, problems: [`the arguments are longer than ${MAX_ARGUMENT_BYTES} bytes`] };
  // Many models write nothing for a tool without parameters.
  const input = written.trim() === '' ? {} : parsed(written);
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { input: {}, problems: ['the arguments are not a JSON object'] };
  return { input, problems: await argumentProblems(input, tool, checks) };
}

async function argumentProblems(
  input: JsonObject,
  { name, inputSchema }: ToolDeclaration,
  { toolSchemas, party }: CallChecks,
): Promise<string[]> {
  try {
    return await toolSchemas.argumentProblems(inputSchema, input, party);
  } catch (cause) {
    if (cause instanceof ToolSchemasBusy)
      throw new ModelFailure(
        'MODEL_UNAVAILABLE',
        'the arguments of a tool call could not be checked in time',
        {
          cause,
        },
      );
    // Requests with such a schema are refused; an older version stored this one.
    throw new ModelFailure('MODEL_BAD_ANSWER', `the schema of the tool ${name} cannot be used`, { cause });
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** What the client is told about calls that it may run. */
export const eventsOf = (calls: readonly CheckedCall[]): AnswerEvent[] =>
  calls.flatMap(({ toolCallId, toolName, arguments: written, input }): AnswerEvent[] => [
    { type: 'tool-call-start', toolCallId, toolName },
    { type: 'tool-call-delta', toolCallId, text: written },
    { type: 'tool-call', toolCallId, toolName, input },
  ]);

/** Tells the model what is wrong with its calls: none of them was run. */
export function correctionOf(text: string, calls: readonly CheckedCall[]): ModelMessage[] {
  const toolCalls = calls.map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input }));
  const results = calls.map(({ toolCallId, toolName, problems }): ModelMessage => {
    const error =
      problems.length > 0
        ? `Not run: ${problems.join('; ')}. Call it again with arguments that fit its schema.`
        : 'Not run, because another call was not valid. Call it again.';
    return { role: 'tool', toolCallId, toolName, output: { error } };
  });
  return [{ role: 'assistant', text, toolCalls }, ...results];
}
