import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';

/** Rows and conversations per statement. A row holds at most 8 KiB. */
const MOST_ROWS = 1000;
const MOST_CONVERSATIONS = 256;

export const encodeWords = (words: Uint32Array): Buffer =>
  Buffer.from(words.buffer, words.byteOffset, words.byteLength);

const decodeWords = (bytes: Uint8Array): Uint32Array =>
  // A copy, because the driver's bytes may not be aligned.
  new Uint32Array(new Uint8Array(bytes).buffer);

export interface Searched {
  id: string;
  messages: number;
}

/** Returns the ids of those conversations whose messages hold all `words`, in the same order. */
export async function withWords(
  { read }: Pick<Connection, 'read'>,
  agentId: string,
  conversations: readonly Searched[],
  words: Uint32Array,
): Promise<string[]> {
  const found: string[] = [];
  for (const ids of batches(conversations)) {
    const rows = await read(
      ...withLists(
        `SELECT conversation_id, words FROM message_words WHERE agent_id = ? AND conversation_id IN (?)
          ORDER BY conversation_id DESC, message_id DESC LIMIT ${MOST_ROWS}`,
        [agentId, ids],
      ),
    );
    const missing = missingWords(rows, words);
    found.push(...ids.filter((id) => missing.get(id)?.size === 0));
  }
  return found;
}

/** The words of the search that no message of a conversation holds. */
function missingWords(rows: readonly Row[], words: Uint32Array): Map<string, Set<number>> {
  const missing = new Map<string, Set<number>>();
  for (const row of rows) {
    const id = row.conversation_id as string;
    const left = missing.get(id) ?? new Set(words);
    missing.set(id, left);
    if (left.size === 0) continue;
    const held = decodeWords(row.words as Uint8Array);
    for (const word of left) if (held.includes(word)) left.delete(word);
  }
  return missing;
}

/** Conversations that together have few enough messages; a longer one is alone, and its newest messages are searched. */
function* batches(conversations: readonly Searched[]): Generator<string[]> {
  let batch: string[] = [];
  let messages = 0;
  for (const conversation of conversations) {
    const isFull = batch.length === MOST_CONVERSATIONS || messages + conversation.messages > MOST_ROWS;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      messages = 0;
    }
    batch.push(conversation.id);
    messages += conversation.messages;
  }
  if (batch.length > 0) yield batch;
}
