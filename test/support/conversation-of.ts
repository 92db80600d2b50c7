import { v7 as uuidv7 } from 'uuid';
import { answeredByAgent } from '../../core/conversations/handover/state.js';
import type { ConversationSource } from '../../core/ports/store/conversations/conversation-rows.js';
import type { TestService } from './service.js';

/** Stores an empty conversation of any channel. Returns its id. */
export async function conversationOf(
  { store }: TestService,
  {
    agentId,
    workspaceId,
    source,
    nowMs,
  }: { agentId: string; workspaceId: string; source: ConversationSource; nowMs: number },
): Promise<string> {
  const id = uuidv7({ msecs: nowMs });
  const second = Math.floor(nowMs / 1000);
  await store.conversations.turns.begin(
    {
      id,
      agentId,
      workspaceId,
      source,
      userId: null,
      title: 'From elsewhere',
      messages: 0,
      toolRecords: 0,
      createdAt: second,
      updatedAt: second,
      activeMessageId: null,
      lastEmptyEnd: null,
      position: 0,
      statePosition: 0,
      unread: 0,
      handover: source === 'api' ? null : answeredByAgent(second),
    },
    async () => {},
    workspaceId,
  );
  return id;
}
