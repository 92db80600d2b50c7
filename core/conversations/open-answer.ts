import { seconds } from '../ports/clock.port.js';
import type { ToolDeclaration } from '../ports/model.port.js';
import type { MessageRow, NewMessage } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import { LEASE_MS } from './answer-saver.js';
import type { Asker } from './asker.js';
import { bareMessage, storeUserMessageWithAnswer } from './messages.js';
import { questionHash } from './question-hash.js';

/** What the turn needs of the request to open the answer. */
export interface OpeningContext extends Pick<Asker, 'settings' | 'key' | 'visitor' | 'onAdmitted'> {
  /** Token of the answer's lease. */
  token: string;
  nowMs: number;
}

export interface Opened {
  kind: 'opened';
  message: MessageRow;
  tools: readonly ToolDeclaration[];
  /** The history ends with this message. */
  upTo: number;
  /** Number of the user's last messages that the answer is for. */
  together: number;
}

/** Question and tools of an answer. */
interface NewAnswer {
  userMessageId: number;
  questionHash: string | null;
  tools: readonly ToolDeclaration[];
  /** A retry: the conversation stays unchanged until the new answer is complete. */
  draft?: boolean;
}

const emptyAnswer = ({ token, nowMs }: OpeningContext, answer: NewAnswer): NewMessage => ({
  ...bareMessage,
  role: 'assistant',
  status: 'generating',
  script: [],
  createdAt: seconds(nowMs),
  ...answer,
  lease: { token, untilMs: nowMs + LEASE_MS },
});

/** Marks the conversation as busy with a stored answer, and binds the request's key to it. */
async function activate(
  turn: ConversationTurn,
  { key, nowMs }: OpeningContext,
  { tools: _, ...row }: NewMessage & { userMessageId: number },
  id: number,
): Promise<MessageRow> {
  turn.change({
    activeMessageId: id,
    messages: turn.conversation.messages + (row.draft ? 0 : 1),
  });
  if (key) {
    const { userMessageId } = row;
    const { hash: keyHash, fingerprint } = key;
    await turn.keys.bind({ keyHash, fingerprint, userMessageId, messageId: id, createdAt: seconds(nowMs) });
  }
  return { ...row, id, conversationId: turn.conversation.id };
}

/** Opens an answer to a stored message: inserts an empty message with the lease of its writer. */
export async function openAnswer(
  turn: ConversationTurn,
  context: OpeningContext,
  { upTo, together = 1, ...answer }: NewAnswer & { upTo: number; together?: number },
): Promise<Opened> {
  const row = emptyAnswer(context, answer);
  const id = await turn.messages.insert(row);
  const message = await activate(turn, context, { ...row, userMessageId: answer.userMessageId }, id);
  return { kind: 'opened', message, tools: answer.tools, upTo, together };
}

/** Stores a message of the user, and opens the answer to it. */
export async function storeAndOpenAnswer(
  turn: ConversationTurn,
  context: OpeningContext,
  { text, tools }: { text: string; tools: readonly ToolDeclaration[] },
): Promise<Opened> {
  // The store sets the id of the user's message.
  const row = emptyAnswer(context, { userMessageId: 0, questionHash: questionHash(text), tools });
  const { userMessageId, messageId } = await storeUserMessageWithAnswer(
    turn,
    { text, isVisitor: context.visitor !== null, nowMs: context.nowMs },
    row,
  );
  const message = await activate(turn, context, { ...row, userMessageId }, messageId);
  return { kind: 'opened', message, tools, upTo: userMessageId, together: 1 };
}
