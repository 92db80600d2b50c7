import { v7 as uuidv7 } from 'uuid';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow, OutgoingRow } from '../ports/store/channel-flow.js';
import { ConversationGone, type ConversationRow, type Conversations } from '../ports/store/conversations.js';
import { addMessage } from './conversation-round.js';

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
  store,
  workspaceOf,
  clock,
  onSent,
}: {
  flow: ChannelFlow;
  store: Pick<Conversations, 'reads' | 'turns'>;
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
    const thread = await flow.ensureThread({
      agentId,
      accountId,
      personId,
      conversationId: uuidv7({ msecs: nowMs }),
      // A private reply opens no window.
      windowUntilMs: 0,
      pausedUntilMs: 0,
      limitToldUntilMs: 0,
      quotaToldOn: null,
    });
    const { conversationId: id } = thread;
    const conversation: ConversationRow = {
      id,
      agentId,
      workspaceId,
      source: 'social',
      userId: personId,
      title: null,
      messages: 0,
      toolRecords: 0,
      createdAt: seconds(nowMs),
      updatedAt: seconds(nowMs),
      activeMessageId: null,
      lastEmptyEnd: null,
    };
    if (await store.reads.conversation(agentId, id))
      await store.turns.run(id, (turn) => addMessage(turn, text, nowMs), workspaceId);
    else await store.turns.begin(conversation, (turn) => addMessage(turn, text, nowMs), workspaceId);
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
