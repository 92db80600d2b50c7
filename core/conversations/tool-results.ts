import { ApiError } from '../errors/api-error.js';
import { timeSlices } from '../fairness/time-slices.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ToolResult } from '../ports/store/conversations/conversation-rows.js';
import { ConversationGone, type ConversationTurn } from '../ports/store/conversations/conversations.js';
import { canonicalJson } from '../schemas/json.js';
import { bareMessage } from './messages.js';

/** Form of the ids of tool calls. Other ids are not looked up. */
const TOOL_CALL_ID = /^[\x21-\x7e]{1,64}$/;

const noSuchCall = () => new ApiError('RESOURCE_TOOL_CALL_NOT_FOUND');

/**
 * Stores the client's result of a pending call. The same result may be sent again, without effect. Throws 404 for a
 * different result, and for a call that is not pending.
 */
export async function takeToolResult(
  turn: ConversationTurn,
  { toolCallId, result, clock }: { toolCallId: string; result: ToolResult; clock: Clock },
): Promise<void> {
  const now = seconds(clock.now());
  const call = TOOL_CALL_ID.test(toolCallId) ? await turn.toolCalls.find(toolCallId) : null;
  if (!call || call.expiresAt <= now || call.state === 'superseded') throw noSuchCall();
  if (call.state === 'answered') {
    // Compare the JSON values: JSON has no -0 and no infinity.
    const pause = timeSlices('turn');
    const stored = canonicalJson(call.result);
    await pause();
    if (stored === canonicalJson(result)) return;
    throw noSuchCall();
  }
  const asking = await turn.messages.find(call.messageId);
  if (!asking) throw noSuchCall();
  const { toolName } = call;
  await turn.toolCalls.update(toolCallId, { state: 'answered', result });
  await turn.messages.insert({
    ...bareMessage,
    role: 'tool',
    status: 'completed',
    script: [{ kind: 'tool-result', part: 0, toolCallId, toolName, ...result }],
    createdAt: now,
    // Results of a draft are visible only together with it.
    draft: asking.draft,
  });
  if (asking.draft) return;
  turn.change({ toolRecords: turn.conversation.toolRecords + 1, updatedAt: now });
}

/** Converts the error for an unknown conversation into the one for an unknown tool call. */
export const callUnknown = (error: unknown): unknown =>
  error instanceof ConversationGone ? noSuchCall() : error;
