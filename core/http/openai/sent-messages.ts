import type { HistoryEntry, HistoryToolCall } from '../../chat/answerer.js';
import { toolArguments } from '../../chat/tool-arguments.js';
import { invalidField } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import type { SentMessage } from './completions.schema.js';

/** A conversation from a client, converted for the answerer. */
export interface SentConversation {
  /** Oldest first. Ends with the user's message, or with calls of tools that have results. */
  history: HistoryEntry[];
  /** Rounds of tool calls since the user's last message. */
  round: number;
  /** Tool results at the end. The answer continues with them. */
  results: { toolCallId: string; output: string }[];
  /** Whether there are system messages. They have no effect, because the settings of the agent apply. */
  hasInstructions: boolean;
}

/** Maximum number of entries, as in a stored conversation. */
const MOST_ENTRIES = 100;

/** Reads the messages. Throws 400 for an impossible order or content. */
export function readMessages(messages: readonly SentMessage[]): SentConversation {
  const history: HistoryEntry[] = [];
  let results: SentConversation['results'] = [];
  let open = new Map<string, HistoryToolCall>();
  let hasInstructions = false;
  let round = 0;

  for (const [n, message] of messages.entries()) {
    const at = `messages[${n}]`;
    const text = textOf(message, at);
    if (message.role === 'system' || message.role === 'developer') {
      hasInstructions = true;
      continue;
    }
    if (message.role === 'tool') {
      const toolCallId = message.tool_call_id ?? '';
      const call = open.get(toolCallId);
      if (call === undefined)
        throw invalidField(`${at}.tool_call_id`, 'must name a call of the message before it');
      if (Buffer.byteLength(text) > limits.chat.toolOutputBytes)
        throw invalidField(`${at}.content`, `must be at most ${limits.chat.toolOutputBytes} bytes`);
      call.result = { output: text };
      open.delete(toolCallId);
      results.push({ toolCallId, output: text });
      continue;
    }
    mustBeAnswered(open, at);
    results = [];
    if (message.role === 'user') {
      if (text.trim() === '') throw invalidField(`${at}.content`, 'must not be blank');
      if ([...text].length > limits.chat.message)
        throw invalidField(`${at}.content`, `must have at most ${limits.chat.message} characters`);
      history.push({ role: 'user', text });
      round = 0;
      continue;
    }
    const toolCalls = (message.tool_calls ?? []).map((call, c) => callOf(call, `${at}.tool_calls[${c}]`));
    open = new Map(toolCalls.map((call) => [call.toolCallId, call]));
    history.push({ role: 'assistant', text, toolCalls });
    if (toolCalls.length > 0) round += 1;
  }
  const last = `messages[${messages.length - 1}]`;
  mustBeAnswered(open, last);
  if (results.length === 0 && history.at(-1)?.role !== 'user')
    throw invalidField(last, 'must be a message of the user, or the result of a tool call');
  return { history: history.slice(-MOST_ENTRIES), round, results, hasInstructions };
}

function mustBeAnswered(open: ReadonlyMap<string, HistoryToolCall>, at: string): void {
  const [id] = open.keys();
  if (id !== undefined) throw invalidField(at, `must follow the result of the tool call ${id}`);
}

/** Joins the text of a message. Throws 400 for images, sounds and files. */
function textOf({ content = null, refusal }: SentMessage, at: string): string {
  if (typeof content === 'string') return content;
  if (content === null) return refusal ?? '';
  return content
    .map((part, n) => {
      const text = part.type === 'text' ? part.text : part.type === 'refusal' ? part.refusal : undefined;
      if (text == null) throw invalidField(`${at}.content[${n}]`, 'must be text');
      return text;
    })
    .join('\n');
}

function callOf(
  { id, function: called }: NonNullable<SentMessage['tool_calls']>[number],
  at: string,
): HistoryToolCall {
  const sent = toolArguments(called.arguments);
  if (!sent.ok) throw invalidField(`${at}.function.arguments`, sent.problem);
  const { input } = sent;
  return { toolCallId: id, toolName: called.name, input, result: { error: 'There is no result yet.' } };
}
