import { maxToolCalls } from '../../core/ports/model.port.js';
import { badResponse } from './call-failure.js';
import type { ToolCallFragment } from './wire.js';

/** Maximum size of all tool calls of an answer, in characters. Each fragment counts as one more than its length. */
const MAX_SIZE = 1024 * 1024;

interface ToolCall {
  toolName: string;
  arguments: string;
}

/** Creates a collector that joins the streamed fragments of tool calls. */
export function createToolCalls() {
  const calls = new Map<number, ToolCall>();
  let size = 0;
  return {
    /** Adds a fragment. Throws CallFailure if there are too many calls or the arguments are too long. */
    add({ index, function: called }: ToolCallFragment): void {
      const name = called?.name ?? '';
      const written = called?.arguments ?? '';
      size += 1 + name.length + written.length;
      if (size > MAX_SIZE) throw badResponse('the tool calls are too long');
      // Some providers omit the index. Then a fragment with a name starts a call, and a fragment without a name
      // belongs to the last call.
      const place = index ?? (name === '' ? Math.max(0, calls.size - 1) : calls.size);
      const call = calls.get(place) ?? { toolName: '', arguments: '' };
      calls.set(place, {
        toolName: call.toolName === '' ? name : call.toolName,
        arguments: call.arguments + written,
      });
      if (calls.size > maxToolCalls) throw badResponse(`more than ${maxToolCalls} tool calls at once`);
    },
    inOrder: (): ToolCall[] => [...calls].sort(([a], [b]) => a - b).map(([, call]) => call),
  };
}
