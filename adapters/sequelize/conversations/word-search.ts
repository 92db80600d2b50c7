import { limits } from '../../../core/schemas/limits.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';

/** Messages, conversations and words that a statement examines. A message has at most 8 KiB of words. */
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
 * Returns the ids of those conversations, newest first, whose messages hold all `words`, in the same order. Examines a
 * limited number of messages in all. The database compares the words, because that would take this process up to a
 * second of its event loop.
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
 * Returns the conversations whose messages hold all of these words. The bytes of a word may also be found across two
 * others, which is as rare as two words with the same hash.
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

/** Returns the id of the oldest message to examine: only a long conversation, which is alone, has older ones. */
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

/** Conversations that a statement can examine together, or a longer one alone. Ends at the limit of messages. */
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
