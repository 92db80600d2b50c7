import { seconds } from '../ports/clock.port.js';
import { noFacts } from '../ports/store/conversations/answer.js';
import type {
  MessageAuthor,
  MessageRow,
  NewMessage,
} from '../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import { nextPosition } from './handover/positions.js';
import { MOST_WORDS_OF_VISITORS, wordsOf } from './message-words.js';
import { plainText } from './script-writer.js';

/** Values of the columns that a message of the user does not use. */
export const bareMessage: Omit<NewMessage, 'role' | 'status' | 'script' | 'createdAt'> = {
  ...noFacts,
  author: null,
  position: null,
  draft: false,
  userMessageId: null,
  finishReason: null,
  countedOn: null,
  questionHash: null,
  errorCode: null,
  feedback: null,
  feedbackComment: null,
  lease: null,
  tools: [],
};

/** Maximum length of a title, in code points. */
const MAX_TITLE = 80;

interface UserMessage {
  text: string;
  /** Visitors and people on social platforms may send many messages, so fewer of their words are stored. */
  isVisitor: boolean;
  nowMs: number;
}

const rowOf = ({ text, nowMs }: Pick<UserMessage, 'text' | 'nowMs'>) => ({
  ...bareMessage,
  status: 'completed' as const,
  script: plainText(text),
  createdAt: seconds(nowMs),
});

const userRow = (message: UserMessage): NewMessage => ({ ...rowOf(message), role: 'user' });

/** Makes a stored message of the user searchable, and counts it. The first one becomes the title. */
async function index(turn: ConversationTurn, id: number, message: UserMessage): Promise<void> {
  const { text, isVisitor, nowMs } = message;
  await turn.messages.storeWords(id, wordsOf(text, isVisitor ? MOST_WORDS_OF_VISITORS : undefined));
  const { title, messages, unread } = turn.conversation;
  turn.change({
    title: title ?? titleOf(text),
    messages: messages + 1,
    unread: unread + 1,
    updatedAt: seconds(nowMs),
  });
}

/** Stores a message of the user. Returns its id. */
export async function storeUserMessage(turn: ConversationTurn, message: UserMessage): Promise<number> {
  const id = await turn.messages.insert({ ...userRow(message), position: nextPosition(turn) });
  await index(turn, id, message);
  return id;
}

/** Stores a message of the user with the empty answer to it, in one round trip. */
export async function storeUserMessageWithAnswer(
  turn: ConversationTurn,
  message: UserMessage,
  answer: NewMessage,
): Promise<{ userMessageId: number; messageId: number }> {
  const ids = await turn.messages.insertReply({ ...userRow(message), position: nextPosition(turn) }, answer);
  await index(turn, ids.userMessageId, message);
  return ids;
}

/** Stores a complete message of the agent that needs no model. Returns its id. */
export async function storeAgentMessage(
  turn: ConversationTurn,
  text: string,
  nowMs: number,
  answer: Partial<Pick<NewMessage, 'userMessageId' | 'offer'>> = {},
): Promise<number> {
  const row = rowOf({ text, nowMs });
  const id = await turn.messages.insert({
    ...row,
    ...answer,
    role: 'assistant',
    finishReason: 'other',
    position: nextPosition(turn),
  });
  await turn.messages.storeWords(id, wordsOf(text));
  turn.change({ messages: turn.conversation.messages + 1, updatedAt: row.createdAt });
  return id;
}

/** Stores a message that a person has written in place of the agent. Returns it. */
export async function storePersonMessage(
  turn: ConversationTurn,
  { text, author, nowMs }: { text: string; author: MessageAuthor; nowMs: number },
): Promise<MessageRow> {
  const row = {
    ...rowOf({ text, nowMs }),
    role: 'assistant',
    finishReason: 'stop',
    author,
    position: nextPosition(turn),
  } as const;
  const id = await turn.messages.insert(row);
  await turn.messages.storeWords(id, wordsOf(text));
  turn.change({ messages: turn.conversation.messages + 1, unread: 0, updatedAt: row.createdAt });
  return { ...row, id, conversationId: turn.conversation.id };
}

/** Stores the messages with which the agent begins a conversation. A search does not find them. */
export async function storeInitialMessages(
  turn: ConversationTurn,
  texts: readonly string[],
  nowMs: number,
): Promise<void> {
  for (const text of texts)
    await turn.messages.insert({ ...rowOf({ text, nowMs }), role: 'assistant', finishReason: 'stop' });
  turn.change({ messages: texts.length });
}

/**
 * Returns the start of the first user message as the title, with collapsed white space, cut between words where
 * possible.
 */
function titleOf(message: string): string {
  const folded = message.trim().replaceAll(/\s+/gu, ' ');
  const characters = [...folded];
  if (characters.length <= MAX_TITLE) return folded;
  const start = characters.slice(0, MAX_TITLE).join('');
  // The cut is already between two words.
  if (characters[MAX_TITLE] === ' ') return start;
  const blank = start.lastIndexOf(' ');
  return blank > 0 ? start.slice(0, blank) : start;
}
