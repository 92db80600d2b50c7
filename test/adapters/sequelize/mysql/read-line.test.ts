import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import type { Row } from '../../../../adapters/sequelize/database/statement.js';
import { createReadLine } from '../../../../adapters/sequelize/mysql/read-line.js';
import { StoreBusy } from '../../../../core/ports/store/store-errors.js';

const cutOff = new Error('the connection has gone');

/** A line before one connection, and all that is said over it; `answer` gives the rows, or throws. */
function lineOf(answer: (sql: string, params: unknown[]) => Row[] | Promise<Row[]>, patienceMs = 60_000) {
  const said: [string, unknown[]][] = [];
  const seats = { taken: 0, released: 0 };
  const line = createReadLine({
    seats: 1,
    acquire: async () => {
      seats.taken += 1;
    },
    release: () => {
      seats.released += 1;
    },
    say: async (_, sql, params) => {
      said.push([sql, params]);
      return answer(sql, params);
    },
    isCutOff: (error) => error === cutOff,
    patienceMs,
  });
  return { line, said, seats };
}

const agent = 'SELECT id, name FROM agents WHERE id IN (?)';

t.test('equal reads that arrive together share one statement', async (t) => {
  const { line, said, seats } = lineOf((_, [id]) => [{ id }]);
  const list = (id: string) => line.rows('SELECT a FROM b WHERE c = ?', [id]);
  t.strictSame(await Promise.all([list('1'), list('2'), list('1')]), [
    [{ id: '1' }],
    [{ id: '2' }],
    [{ id: '1' }],
  ]);
  t.equal(said.length, 2);
  t.strictSame(await list('1'), [{ id: '1' }]);
  t.equal(said.length, 3, 'what was answered is asked again');
  await nextRound();
  t.strictSame(seats, { taken: 2, released: 2 }, 'who has nobody to serve gives the connection back');
});

t.test('rows of many ids are read by one statement, and each gets its own', async (t) => {
  const { line, said } = lineOf((_, ids) =>
    [...new Set(ids)].filter((id) => id !== 'gone').map((id) => ({ id, name: `name of ${id}` })),
  );
  const asked = ['a', 'b', 'gone', 'a'].map((id) => line.rowOf(agent, id));
  t.strictSame(await Promise.all(asked), [
    { id: 'a', name: 'name of a' },
    { id: 'b', name: 'name of b' },
    null,
    { id: 'a', name: 'name of a' },
  ]);
  t.strictSame(said, [['SELECT id, name FROM agents WHERE id IN (?, ?, ?, ?)', ['a', 'b', 'gone', 'gone']]]);
  await Promise.all(Array.from({ length: 40 }, (_, n) => line.rowOf(agent, `${n}`)));
  t.equal(said.length, 3, 'no statement asks for more than 32');
});

t.test('a read survives one lost connection, and fails with the second', async (t) => {
  let losses = 1;
  const { line, seats } = lineOf((_, ids) => {
    if (losses > 0) {
      losses -= 1;
      throw cutOff;
    }
    return ids.map((id) => ({ id }));
  });
  t.strictSame(await Promise.all(['a', 'b'].map((id) => line.rowOf(agent, id))), [{ id: 'a' }, { id: 'b' }]);
  t.equal(seats.taken, 2, 'it is asked for over another connection');
  losses = 2;
  await t.rejects(line.rowOf(agent, 'a'), cutOff);
});

t.test('no read joins a statement that is on its way', async (t) => {
  let name = 'before';
  let arrived = () => {};
  const underWay = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { line } = lineOf(async () => {
    const rows = [{ id: 'a', name }];
    arrived();
    await held;
    return rows;
  });
  const first = [line.rowOf(agent, 'a'), line.rows('SELECT name', [])];
  await underWay;
  name = 'after';
  const second = [line.rowOf(agent, 'a'), line.rows('SELECT name', [])];
  answer();
  const [one, , two, same] = (await Promise.all([...first, ...second])) as [Row, unknown, Row, Row[]];
  t.equal(one.name, 'before');
  t.equal(two.name, 'after');
  t.equal(same[0]?.name, 'after');
});

t.test('a statement that fails fails its own reads and no others', async (t) => {
  const { line, seats } = lineOf((sql) => {
    if (sql === 'broken') throw new Error('broken');
    return [];
  });
  const outcomes = await Promise.allSettled([
    line.rows('broken', []),
    line.rows('broken', []),
    line.rows('whole', []),
  ]);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  await nextRound();
  t.strictSame(seats, { taken: 2, released: 2 }, 'its connection was looked at again');
});

t.test('a read that waits too long is refused and leaves the line', async (t) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { line, said } = lineOf(async (sql) => {
    if (sql === 'slow') await held;
    return [];
  }, 20);
  const slow = line.rows('slow', []);
  while (said.length === 0) await nextRound();
  await t.rejects(line.rows('late', []), StoreBusy);
  t.equal(line.waiting, 0);
  answer();
  await slow;
  t.strictSame(await line.rows('late', []), [], 'the same can be asked again');
});

t.test('no connection: all that wait hear of it', async (t) => {
  const line = createReadLine({
    isCutOff: () => false,
    seats: 2,
    acquire: () => Promise.reject(new Error('no server')),
    release: () => {},
    say: async () => [],
    patienceMs: 60_000,
  });
  const outcomes = await Promise.allSettled([line.rows('a', []), line.rowOf(agent, 'a'), line.rows('b', [])]);
  t.ok(outcomes.every(({ status }) => status === 'rejected'));
});

t.test('a connection that cannot be made fails no read that another one serves', async (t) => {
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const line = createReadLine({
    isCutOff: () => false,
    seats: 2,
    acquire: async () => {
      asked += 1;
      if (asked > 1) throw new Error('too many connections');
    },
    release: () => {},
    say: async (_, sql) => {
      if (sql === 'slow') await held;
      return [];
    },
    patienceMs: 60_000,
  });
  const slow = line.rows('slow', []);
  while (line.waiting > 0) await nextRound();
  const other = line.rows('other', []);
  while (asked < 2) await nextRound();
  await nextRound();
  answer();
  t.strictSame(await Promise.all([slow, other]), [[], []]);
  t.equal(asked, 2, 'nor is one asked for again and again');
});
