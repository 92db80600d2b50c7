import { timeSlices } from '../../../core/fairness/time-slices.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';

/** Rows and conversations per statement. A row holds at most 8 KiB. */
const MOST_ROWS = 250;
const MOST_CONVERSATIONS = 256;

const { messages: MOST_MESSAGES, messagesOfOne: MOST_OF_ONE } = limits.chat.search;

export const encodeWords = (words: Uint32Array): Buffer =>
  Buffer.from(words.buffer, words.byteOffset, words.byteLength);

const decodeWords = (bytes: Uint8Array): Uint32Array =>
  // A copy, because the driver's bytes may not be aligned.
  new Uint32Array(new Uint8Array(bytes).buffer);

export interface Searched {
  id: string;
  messages: number;
}

/** Conversations to search together, with the number of messages to read. */
interface Batch {
  ids: string[];
  messages: number;
}

/** The words that no message of a conversation holds, by conversation. */
type Missing = Map<string, Set<number>>;

/**
 * Returns the ids of those conversations, newest first, whose messages hold all `words`, in the same order. Reads a
 * limited number of messages in all, a few at a time, so that other requests are served in between.
 */
export async function withWords(
  { read }: Pick<Connection, 'read'>,
  agentId: string,
  conversations: readonly Searched[],
  words: Uint32Array,
): Promise<string[]> {
  const pause = timeSlices();
  const found: string[] = [];
  for (const { ids, messages } of batches(conversations)) {
    const missing: Missing = new Map(ids.map((id) => [id, new Set(words)]));
    // Only a long conversation, which is alone, takes several statements.
    let before = Number.MAX_SAFE_INTEGER;
    for (let left = messages; left > 0; left -= MOST_ROWS) {
      const rows = await read(
        ...withLists(
          `SELECT conversation_id, message_id, words FROM message_words
            WHERE agent_id = ? AND conversation_id IN (?) AND message_id < ?
            ORDER BY conversation_id DESC, message_id DESC LIMIT ${MOST_ROWS}`,
          [agentId, ids, before],
        ),
      );
      strikeOut(rows, missing);
      before = Number(rows.at(-1)?.message_id ?? 0);
      await pause();
    }
    found.push(...ids.filter((id) => missing.get(id)?.size === 0));
  }
  return found;
}

/** Removes the words of these messages. */
function strikeOut(rows: readonly Row[], missing: Missing): void {
  for (const row of rows) {
    const left = missing.get(row.conversation_id as string);
    if (!left || left.size === 0) continue;
    const held = decodeWords(row.words as Uint8Array);
    for (const word of left) if (held.includes(word)) left.delete(word);
  }
}

/** Conversations that together fit into one statement, or a longer one alone. Ends at the limit of messages. */
function* batches(conversations: readonly Searched[]): Generator<Batch> {
  let batch: Batch = { ids: [], messages: 0 };
  let total = 0;
  for (const conversation of conversations) {
    const messages = Math.min(conversation.messages, MOST_OF_ONE);
    total += messages;
    if (total > MOST_MESSAGES) break;
    const isFull = batch.ids.length === MOST_CONVERSATIONS || batch.messages + messages > MOST_ROWS;
    if (isFull && batch.ids.length > 0) {
      yield batch;
      batch = { ids: [], messages: 0 };
    }
    batch.ids.push(conversation.id);
    batch.messages += messages;
  }
  if (batch.ids.length > 0) yield batch;
}
