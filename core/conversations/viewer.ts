import type { ConversationRow, ConversationSource } from '../ports/store/conversations/conversation-rows.js';
import type { Conversations } from '../ports/store/conversations/conversations.js';
import { isUuid } from '../schemas/uuid.js';

/** A caller's view of an agent's conversations. A new conversation gets this source and user. */
export interface Viewer {
  source: ConversationSource;
  /** Null for the conversations of all users. */
  userId: string | null;
}

/** API keys see the conversations of the API. */
export const keyViewer: Viewer = { source: 'api', userId: null };

/** Visitors see their own conversations. */
export const visitorViewer = (userId: string): Viewer => ({ source: 'widget', userId });

const sees = ({ source, userId }: Viewer, conversation: ConversationRow): boolean =>
  conversation.source === source && (userId === null || conversation.userId === userId);

/** Finds a conversation that the viewer sees. Without a viewer, every conversation is visible. */
export async function findVisible(
  { reads }: Pick<Conversations, 'reads'>,
  agentId: string,
  conversationId: string,
  viewer: Viewer | null,
): Promise<ConversationRow | null> {
  if (!isUuid(conversationId)) return null;
  const conversation = await reads.conversation(agentId, conversationId.toLowerCase());
  return conversation && (viewer === null || sees(viewer, conversation)) ? conversation : null;
}
