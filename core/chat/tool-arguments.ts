import { isJsonObject, type JsonObject, type JsonValue } from '../schemas/json.js';
import { nestsDeeper } from '../schemas/json-values.js';
import { limits } from '../schemas/limits.js';

const { argumentDepth } = limits.chat;

export type ToolArguments =
  | { ok: true; input: JsonObject }
  /** Continues a sentence about the arguments. */
  | { ok: false; problem: string };

/** Parses the arguments of a tool call. An empty text is {}: many models send it for a tool without parameters. */
export function toolArguments(written: string): ToolArguments {
  if (written.trim() === '') return { ok: true, input: {} };
  const value = parsed(written);
  if (!isJsonObject(value)) return { ok: false, problem: 'must be a JSON object as text' };
  return nestsDeeper(value, argumentDepth)
    ? { ok: false, problem: `must not nest more than ${argumentDepth.toLocaleString('en')} levels` }
    : { ok: true, input: value };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
