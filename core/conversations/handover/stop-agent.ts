import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';
import { endAnswer } from '../end-answer.js';
import type { HandoverChannel } from './handover-channel.js';

/**
 * Ends the answer in progress as a stop does, in the turn that takes the conversation over: its writer can save nothing
 * more. Cancels messages of the agent that the channel has not sent.
 */
export async function stopAgent(
  turn: ConversationTurn,
  channel: HandoverChannel | null,
  nowMs: number,
): Promise<void> {
  const { activeMessageId: messageId } = turn.conversation;
  if (messageId !== null) {
    const message = await turn.messages.find(messageId);
    await endAnswer(
      turn,
      { message, agentExists: true },
      { messageId, token: null, end: { kind: 'stopped' }, unsaved: null, nowMs },
    );
    // The writer may be in another process.
    await turn.messages.requestStop(messageId, nowMs);
  }
  await channel?.silence(turn, nowMs);
}
