import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow, OutgoingRow } from '../ports/store/channel-flow.js';
import { ConversationGone } from '../ports/store/conversations.js';
import { addMessage } from './conversation-round.js';
import type { PersonConversations } from './person-conversation.js';

export interface SentMessages {
  /** Records that the platform has sent a message. Has no effect on messages that have ended. */
  confirm(
    row: OutgoingRow,
    { upstreamHash, personId }: { upstreamHash: string; personId: string },
  ): Promise<void>;
}

/** Records sent messages. The conversation of a private reply begins with it. */
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
  /** Adds the text of a private reply to the conversation of its person. */
  async function begin(row: OutgoingRow, personId: string): Promise<void> {
    const { agentId, accountId, text } = row;
    const workspaceId = await workspaceOf(agentId);
    if (workspaceId === null) return;
    const nowMs = clock.now();
    // A private reply opens no window.
    const person = await people.of({ agentId, workspaceId, accountId, personId, windowUntilMs: 0 });
    await people.run(person, (turn) => addMessage(turn, text, nowMs));
  }

  return {
    async confirm(row, { upstreamHash, personId }) {
      const now = seconds(clock.now());
      const isFirst = await flow.settleSent(row.id, { upstreamHash, personId, conversationId: null, now });
      if (!isFirst) return;
      onSent();
      if (row.commentId === null) return;
      await begin(row, personId).catch((error: unknown) => {
        if (!(error instanceof ConversationGone)) throw error;
      });
    },
  };
}
