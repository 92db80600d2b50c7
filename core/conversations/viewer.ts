import type { ConversationRow, ConversationSource } from '../ports/store/conversations/conversations.js';

/** Which conversations of an agent a caller sees and creates. */
export interface Viewer {
  source: ConversationSource;
  /** Null for the conversations of all users. */
  userId: string | null;
}

/** API keys see the conversations of the API. */
export const keyViewer: Viewer = { source: 'api', userId: null };

/** Visitors see their own conversations. */
export const visitorViewer = (userId: string): Viewer => ({ source: 'widget', userId });

export const sees = ({ source, userId }: Viewer, conversation: ConversationRow): boolean =>
  conversation.source === source && (userId === null || conversation.userId === userId);
