import { setImmediate as nextRound } from 'node:timers/promises';
import type { Row } from '../../../../adapters/sequelize/database/statement.js';
import { createReadQueue } from '../../../../adapters/sequelize/mysql/read-queue.js';
import { StoreBusy } from '../../../../core/ports/store/store-errors.js';
import t from '../../../support/t.js';

const cutOff = new Error('the connection has gone');

/** A queue for one connection that records its statements; `answer` returns the rows, or throws. */
function queueOf(answer: (sql: string, params: unknown[]) => Row[] | Promise<Row[]>, timeoutMs = 60_000) {
  const executed: [string, unknown[]][] = [];
  const connections = { taken: 0, released: 0 };
  const queue = createReadQueue({
    connections: 1,
    acquire: async () => {
      connections.taken += 1;
    },
    release: () => {
      connections.released += 1;
    },
    execute: async (_, sql, params) => {
      executed.push([sql, params]);
      return answer(sql, params);
    },
    isCutOff: (error) => error === cutOff,
    timeoutMs,
  });
  return { queue, executed, connections };
}

const agent = 'SELECT id, name FROM agents WHERE id IN (?)';

t.test('equal reads that arrive together share one statement', async (t) => {
  const { queue, executed, connections } = queueOf((_, [id]) => [{ id }]);
  const list = (id: string) => queue.rows('SELECT a FROM b WHERE c = ?', [id]);
  t.strictSame(await Promise.all([list('1'), list('2'), list('1')]), [
    [{ id: '1' }],
    [{ id: '2' }],
    [{ id: '1' }],
  ]);
  t.equal(executed.length, 2);
  t.strictSame(await list('1'), [{ id: '1' }]);
  t.equal(executed.length, 3, 'a finished read is not reused');
  await nextRound();
  t.strictSame(connections, { taken: 2, released: 2 }, 'the connection is released when the queue is empty');
});

t.test('reads of many ids share one statement, and each gets its own row', async (t) => {
  const { queue, executed } = queueOf((_, ids) =>
    [...new Set(ids)].filter((id) => id !== 'gone').map((id) => ({ id, name: `name of ${id}` })),
  );
  const asked = ['a', 'b', 'gone', 'a'].map((id) => queue.rowOf(agent, id));
  t.strictSame(await Promise.all(asked), [
    { id: 'a', name: 'name of a' },
    { id: 'b', name: 'name of b' },
    null,
    { id: 'a', name: 'name of a' },
  ]);
  t.strictSame(executed, [
    ['SELECT id, name FROM agents WHERE id IN (?, ?, ?, ?)', ['a', 'b', 'gone', 'gone']],
  ]);
  await Promise.all(Array.from({ length: 40 }, (_, n) => queue.rowOf(agent, `${n}`)));
  t.equal(executed.length, 3, 'no statement reads more than 32 rows');
});

t.test('a read survives one lost connection, and fails with the second', async (t) => {
  let losses = 1;
  const { queue, connections } = queueOf((_, ids) => {
    if (losses > 0) {
      losses -= 1;
      throw cutOff;
    }
    return ids.map((id) => ({ id }));
  });
  t.strictSame(await Promise.all(['a', 'b'].map((id) => queue.rowOf(agent, id))), [{ id: 'a' }, { id: 'b' }]);
  t.equal(connections.taken, 2, 'it is retried on another connection');
  losses = 2;
  await t.rejects(queue.rowOf(agent, 'a'), cutOff);
});

t.test('no read joins a statement that was sent', async (t) => {
  let name = 'before';
  let arrived = () => {};
  const underWay = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { queue } = queueOf(async () => {
    const rows = [{ id: 'a', name }];
    arrived();
    await held;
    return rows;
  });
  const first = [queue.rowOf(agent, 'a'), queue.rows('SELECT name', [])];
  await underWay;
  name = 'after';
  const second = [queue.rowOf(agent, 'a'), queue.rows('SELECT name', [])];
  answer();
  const [one, , two, same] = (await Promise.all([...first, ...second])) as [Row, unknown, Row, Row[]];
  t.equal(one.name, 'before');
  t.equal(two.name, 'after');
  t.equal(same[0]?.name, 'after');
});

t.test('a failed statement rejects only its own reads', async (t) => {
  const { queue, connections } = queueOf((sql) => {
    if (sql === 'broken') throw new Error('broken');
    return [];
  });
  const outcomes = await Promise.allSettled([
    queue.rows('broken', []),
    queue.rows('broken', []),
    queue.rows('whole', []),
  ]);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  await nextRound();
  t.strictSame(connections, { taken: 2, released: 2 }, 'its connection was released and acquired again');
});

t.test('a read that waits too long is rejected and leaves the queue', async (t) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { queue, executed } = queueOf(async (sql) => {
    if (sql === 'slow') await held;
    return [];
  }, 20);
  const slow = queue.rows('slow', []);
  while (executed.length === 0) await nextRound();
  await t.rejects(queue.rows('late', []), StoreBusy);
  t.equal(queue.waiting, 0);
  answer();
  await slow;
  t.strictSame(await queue.rows('late', []), [], 'the same read works afterwards');
});

t.test('without a connection, all queued reads are rejected', async (t) => {
  const queue = createReadQueue({
    isCutOff: () => false,
    connections: 2,
    acquire: () => Promise.reject(new Error('no server')),
    release: () => {},
    execute: async () => [],
    timeoutMs: 60_000,
  });
  const outcomes = await Promise.allSettled([
    queue.rows('a', []),
    queue.rowOf(agent, 'a'),
    queue.rows('b', []),
  ]);
  t.ok(outcomes.every(({ status }) => status === 'rejected'));
});

t.test('a connection that cannot be opened fails no read while another one serves the queue', async (t) => {
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const queue = createReadQueue({
    isCutOff: () => false,
    connections: 2,
    acquire: async () => {
      asked += 1;
      if (asked > 1) throw new Error('too many connections');
    },
    release: () => {},
    execute: async (_, sql) => {
      if (sql === 'slow') await held;
      return [];
    },
    timeoutMs: 60_000,
  });
  const slow = queue.rows('slow', []);
  while (queue.waiting > 0) await nextRound();
  const other = queue.rows('other', []);
  while (asked < 2) await nextRound();
  await nextRound();
  answer();
  t.strictSame(await Promise.all([slow, other]), [[], []]);
  t.equal(asked, 2, 'no further connection is requested');
});
