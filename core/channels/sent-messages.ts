import { storeAgentMessage } from '../conversations/messages.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow, OutgoingRow } from '../ports/store/channels/channel-flow.js';
import { ConversationGone } from '../ports/store/conversations/conversations.js';
import type { PersonConversations } from './person-conversation.js';

export interface SentMessages {
  /** Records that the platform has sent a message. Does nothing if the message has already ended. */
  confirm(
    row: OutgoingRow,
    { upstreamHash, personId }: { upstreamHash: string; personId: string },
  ): Promise<void>;
}

/** Thrown to roll back a turn if another process has recorded the message. */
class Known extends Error {
  override name = 'Known';
}

/** Records sent messages. A private reply becomes the first message of its conversation. */
export function createSentMessages({
  flow,
  people,
  workspaceOf,
  clock,
  onSent,
}: {
  flow: ChannelFlow;
  people: PersonConversations;
  workspaceOf: (agentId: string) => Promise<string | null>;
  clock: Clock;
  onSent: () => void;
}): SentMessages {
  type Sent = { upstreamHash: string; personId: string };

  const settle = (row: OutgoingRow, sent: Sent): Promise<boolean> =>
    flow.settleSent(row, { ...sent, conversationId: null, messageId: null, now: seconds(clock.now()) });

  /** Records a private reply, and adds its text to the conversation of its person, in one turn. */
  async function settleReply(row: OutgoingRow, sent: Sent): Promise<boolean> {
    const { agentId, accountId, text } = row;
    const workspaceId = await workspaceOf(agentId);
    if (workspaceId === null) return settle(row, sent);
    // A private reply opens no window.
    const { personId } = sent;
    const person = await people.of({ agentId, workspaceId, accountId, personId, windowUntilMs: 0 });
    const nowMs = clock.now();
    try {
      await people.run(person, async (turn) => {
        const messageId = await storeAgentMessage(turn, text, nowMs);
        const isFirst = await turn.channel.settleSent(row, { ...sent, messageId, now: seconds(nowMs) });
        if (!isFirst) throw new Known();
      });
      return true;
    } catch (error) {
      if (error instanceof Known) return false;
      // The conversation was deleted in the meantime.
      if (error instanceof ConversationGone) return settle(row, sent);
      throw error;
    }
  }

  return {
    async confirm(row, sent) {
      if (row.status === 'sent') return;
      const isFirst = await (row.commentId === null ? settle(row, sent) : settleReply(row, sent));
      if (isFirst) onSent();
    },
  };
}
