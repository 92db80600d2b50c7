import type { Test } from 'tap';
import { connect } from '../../../../adapters/sequelize/connect.js';
import {
  encodeWords,
  type Searched,
  withWords,
} from '../../../../adapters/sequelize/conversations/word-search.js';
import type { Connection } from '../../../../adapters/sequelize/database/connection.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { type Engine, emptyDatabase, onEachEngine } from '../../../support/service.js';

const AGENT = 'a';
const idOf = (n: number): string => String(n).padStart(5, '0');

async function open(t: Test, engine: Engine): Promise<Connection> {
  const connection = connect({
    url: await emptyDatabase(t, engine),
    poolSize: 4,
    statementTimeoutMs: 20_000,
  });
  t.teardown(() => connection.close());
  await createMigrator(connection).up();
  return connection;
}

/** Stores messages with these words, one conversation for each list. Returns the conversations, newest first. */
async function store(
  connection: Connection,
  conversations: readonly (readonly number[])[][],
): Promise<Searched[]> {
  let messageId = 0;
  const rows = conversations.flatMap((messages, n) =>
    messages.map((words) => {
      messageId += 1;
      return [AGENT, idOf(n), messageId, encodeWords(Uint32Array.from(words))];
    }),
  );
  const sql = 'INSERT INTO message_words (agent_id, conversation_id, message_id, words) VALUES (?, ?, ?, ?)';
  await connection.transaction((transaction) =>
    connection.within(
      transaction,
      rows.map((params) => ({ sql, params, prepared: true })),
    ),
  );
  return conversations.map((messages, n) => ({ id: idOf(n), messages: messages.length })).reverse();
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

await onEachEngine('the database compares the words and returns only what was found', async (t, engine) => {
  const connection = await open(t, engine);
  const filler = range(100_000, 300);
  const conversations = await store(connection, [
    [[1, 2], filler, [3]],
    [[1], filler],
    [range(1, 12), filler],
    [filler, filler],
    // More messages than are examined of one conversation; the oldest is left out.
    [[77], ...range(0, 1000).map((n) => [200_000 + n])],
    ...range(0, 300).map(() => [filler, filler]),
  ]);
  let rows = 0;
  const counting: Pick<Connection, 'readLong'> = {
    async readLong(sql, params) {
      const found = await connection.readLong(sql, params);
      rows += found.length;
      return found;
    },
  };
  const find = async (...words: number[]) => {
    rows = 0;
    return withWords(counting, AGENT, conversations, Uint32Array.from(words));
  };
  t.strictSame(await find(1), [idOf(2), idOf(1), idOf(0)], 'newest first');
  t.strictSame(await find(1, 2, 3), [idOf(2), idOf(0)], 'words of different messages');
  t.strictSame(await find(...range(1, 12)), [idOf(2)], 'more words than a statement compares');
  t.strictSame(await find(200_999), [idOf(4)]);
  t.strictSame(await find(77), [], 'beyond the newest thousand messages');
  t.equal((await find(filler[0] ?? 0)).length, 304);
  t.strictSame(await find(5_000_000), []);
  t.ok(rows <= 1, `${rows} rows for a word that no message holds`);
});

await onEachEngine('words of any bytes are found', async (t, engine) => {
  const connection = await open(t, engine);
  const words = [0, 1, 0x5c, 0x27, 0x25, 0x5f, 0x20202020, 0x0a0d1a00, 0x27275c5c, 0xffffffff, 0x80808080];
  const conversations = await store(
    connection,
    words.map((word) => [[7_777_777, word, 8_888_888]]),
  );
  for (const [n, word] of words.entries())
    t.ok(
      (await withWords(connection, AGENT, conversations, Uint32Array.of(word))).includes(idOf(n)),
      `${word}`,
    );
});

await onEachEngine('the event loop serves other requests during each statement', async (t, engine) => {
  const connection = await open(t, engine);
  const conversations = await store(connection, [[[1]], [[2]]]);
  let iterations = 0;
  const count = (): void => {
    iterations += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  t.teardown(() => clearImmediate(next));
  t.strictSame(await withWords(connection, AGENT, conversations, Uint32Array.of(1)), [idOf(0)]);
  t.ok(iterations > 0);
});
