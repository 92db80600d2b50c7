import { limits } from '../../../core/schemas/limits.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';

/** Limits of one statement. A message has at most 8 KiB of words. */
const MOST_ROWS = 1000;
const MOST_CONVERSATIONS = 1024;
const MOST_WORDS = 4;

const { messages: MOST_MESSAGES, messagesOfOne: MOST_OF_ONE } = limits.chat.search;

export const encodeWords = (words: Uint32Array): Buffer =>
  Buffer.from(words.buffer, words.byteOffset, words.byteLength);

export interface Searched {
  id: string;
  messages: number;
}

type Reader = Pick<Connection, 'readLong'>;

/**
 * Returns the ids of the conversations whose messages contain all `words`, in the given order. Examines a limited
 * number of messages. The database compares the words, because that would block this process's event loop for up to 1
 * s.
 */
export async function withWords(
  connection: Reader,
  agentId: string,
  conversations: readonly Searched[],
  words: Uint32Array,
): Promise<string[]> {
  const found: string[] = [];
  for (const batch of batches(conversations)) {
    const from = await oldestExamined(connection, agentId, batch);
    let ids = batch.map(({ id }) => id);
    for (let at = 0; at < words.length && ids.length > 0; at += MOST_WORDS) {
      const some = words.subarray(at, at + MOST_WORDS);
      const holding = await holdingAll(connection, { agentId, ids, from }, some);
      ids = ids.filter((id) => holding.has(id));
    }
    found.push(...ids);
  }
  return found;
}

interface Examined {
  agentId: string;
  ids: readonly string[];
  /** Id of the oldest message to examine. */
  from: number;
}

/**
 * Returns the conversations whose messages contain all of these words. Bytes may also match across two adjacent words,
 * but that is as rare as a hash collision.
 */
async function holdingAll(
  { readLong }: Reader,
  { agentId, ids, from }: Examined,
  words: Uint32Array,
): Promise<Set<string>> {
  const bytes = [...words].map((word) => encodeWords(Uint32Array.of(word)));
  const rows = await readLong(
    ...withLists(
      `SELECT conversation_id FROM message_words WHERE agent_id = ? AND conversation_id IN (?) AND message_id >= ?
        GROUP BY conversation_id HAVING ${bytes.map(() => 'MAX(INSTR(words, ?)) > 0').join(' AND ')}`,
      [agentId, ids, from, ...bytes],
    ),
  );
  return new Set(rows.map((row) => row.conversation_id as string));
}

/**
 * Returns the id of the oldest message to examine. Only a long conversation, which has a batch of its own, is cut off.
 */
async function oldestExamined(
  { readLong }: Reader,
  agentId: string,
  [first]: readonly Searched[],
): Promise<number> {
  if (first === undefined || first.messages <= MOST_OF_ONE) return 0;
  const [row] = await readLong(
    `SELECT message_id FROM message_words WHERE agent_id = ? AND conversation_id = ?
      ORDER BY message_id DESC LIMIT 1 OFFSET ${MOST_OF_ONE - 1}`,
    [agentId, first.id],
  );
  return Number(row?.message_id ?? 0);
}

/**
 * Yields the conversations in batches for one statement each; a long conversation has its own. Ends at the limit of
 * messages.
 */
function* batches(conversations: readonly Searched[]): Generator<Searched[]> {
  let batch: Searched[] = [];
  let ofBatch = 0;
  let total = 0;
  for (const conversation of conversations) {
    const messages = Math.min(conversation.messages, MOST_OF_ONE);
    total += messages;
    if (total > MOST_MESSAGES) break;
    const isFull = batch.length === MOST_CONVERSATIONS || ofBatch + messages > MOST_ROWS;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      ofBatch = 0;
    }
    batch.push(conversation);
    ofBatch += messages;
  }
  if (batch.length > 0) yield batch;
}
