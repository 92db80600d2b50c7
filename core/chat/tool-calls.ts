import { v7 as uuidv7 } from 'uuid';
import type { Owner } from '../fairness/owner.js';
import { ModelFailure, type ModelMessage, type ToolDeclaration } from '../ports/model.port.js';
import { type ToolSchemas, ToolSchemasBusy } from '../ports/tool-schemas.port.js';
import type { JsonObject } from '../schemas/json.js';
import type { AnswerEvent } from './answerer.js';
import { toolArguments } from './tool-arguments.js';

/** A tool call as written by the model. */
export interface WrittenCall {
  toolName: string;
  /** JSON text. */
  arguments: string;
}

/** A tool call after validation. */
export interface CheckedCall {
  /** Our id, unique within the installation. */
  toolCallId: string;
  toolName: string;
  /** Unparsed JSON text. */
  arguments: string;
  input: JsonObject;
  /** Empty if the call is valid. */
  problems: string[];
}

const MAX_ARGUMENT_BYTES = 262_144;

/** The declared tools and the validator of their arguments. */
export interface CallChecks {
  tools: readonly ToolDeclaration[];
  toolSchemas: Pick<ToolSchemas, 'argumentProblems'>;
  owner: Owner;
}

/**
 * Validates the arguments of the calls. Rejects with MODEL_BAD_ANSWER for an undeclared tool, and with
 * MODEL_UNAVAILABLE if validation does not finish in time.
 */
export async function checkCalls(calls: readonly WrittenCall[], checks: CallChecks): Promise<CheckedCall[]> {
  const results: CheckedCall[] = [];
  // One by one, so that an answer holds at most one entry of the workspace's bounded queue.
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
  const sent = toolArguments(written);
  if (!sent.ok) return { input: {}, problems: [`the arguments ${sent.problem}`] };
  const { input } = sent;
  return { input, problems: await argumentProblems(input, tool, checks) };
}

async function argumentProblems(
  input: JsonObject,
  { name, inputSchema }: ToolDeclaration,
  { toolSchemas, owner }: CallChecks,
): Promise<string[]> {
  try {
    return await toolSchemas.argumentProblems(inputSchema, input, owner);
  } catch (cause) {
    if (cause instanceof ToolSchemasBusy)
      throw new ModelFailure('MODEL_UNAVAILABLE', 'validating the arguments of a tool call timed out', {
        cause,
      });
    // New requests with such a schema are rejected; an older version stored this one.
    throw new ModelFailure('MODEL_BAD_ANSWER', `the schema of the tool ${name} cannot be used`, { cause });
  }
}

/** Returns the events with which the client runs the calls. */
export const eventsOf = (calls: readonly CheckedCall[]): AnswerEvent[] =>
  calls.flatMap(({ toolCallId, toolName, arguments: written, input }): AnswerEvent[] => [
    { type: 'tool-call-start', toolCallId, toolName },
    { type: 'tool-call-delta', toolCallId, text: written },
    { type: 'tool-call', toolCallId, toolName, input },
  ]);

/** Returns messages for the model that explain why none of its calls was run. */
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
