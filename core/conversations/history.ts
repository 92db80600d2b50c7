import type { AnswerRequest, HistoryEntry, HistoryToolCall } from '../chat/answerer.js';
import { seconds } from '../ports/clock.port.js';
import type { MessageRow, ToolCallRow } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationReads } from '../ports/store/conversations/conversations.js';
import { textOf } from './script-writer.js';

/** Bounds the cost of long conversations. The history in a prompt is always much shorter. */
const MOST_MESSAGES = 100;

const hasCalls = ({ script }: MessageRow): boolean => script.some(({ kind }) => kind === 'tool-call');

/** Returns the result of a tool call for the model. */
function resultOf(call: ToolCallRow | undefined, now: number): HistoryToolCall['result'] {
  if (call?.result) return call.result;
  if (call?.state === 'superseded') return { error: 'The user continued without waiting for the result.' };
  return call && call.expiresAt > now
    ? { error: 'There is no result yet.' }
    : { error: 'The result did not arrive in time.' };
}

/** Reads the messages up to `upTo`, and counts the rounds of tool calls. */
export async function readHistory(
  reads: Pick<ConversationReads, 'messages' | 'toolCalls'>,
  { conversationId, upTo, nowMs }: { conversationId: string; upTo: number; nowMs: number },
): Promise<Pick<AnswerRequest, 'history' | 'round'>> {
  const rows = await reads.messages(conversationId, { limit: MOST_MESSAGES, before: String(upTo + 1) });
  const messages = rows.slice(0, MOST_MESSAGES).reverse();
  const calls = await reads.toolCalls(messages.filter(hasCalls).map(({ id }) => id));
  const callOf = new Map(calls.map((call) => [call.id, call]));
  const now = seconds(nowMs);
  const history = messages.flatMap(({ role, script }): HistoryEntry[] => {
    if (role === 'tool') return [];
    const text = textOf(script);
    if (role === 'user') return [{ role, text }];
    const toolCalls = script.flatMap((item) => {
      if (item.kind !== 'tool-call') return [];
      const { toolCallId, toolName, input } = item;
      return [{ toolCallId, toolName, input, result: resultOf(callOf.get(toolCallId), now) }];
    });
    return [{ role, text, toolCalls }];
  });
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  return { history, round: messages.slice(lastUser + 1).filter(hasCalls).length };
}
