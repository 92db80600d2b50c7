import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import { createRequestTurns, DoorBusy } from '../../../core/http/request-turns.js';
import { createThreadShares } from '../../../core/tasks/thread-shares.js';

const turnsBy = (now: () => number) => createRequestTurns(createThreadShares(now), now);

/** Who enters, in order, on a clock that stands still. */
function entering() {
  const order: string[] = [];
  const turns = turnsBy(() => 0);
  const enter = async (who: string) => {
    await turns.enter(who);
    order.push(who);
  };
  return { enter, order };
}

const manyOf = (who: string, count: number): string[] => Array.from({ length: count }, () => who);

t.test('who comes after hundreds of requests of another workspace waits for a few of them', async (t) => {
  const { enter, order } = entering();
  const all = manyOf('busy', 400).map(enter);
  await nextRound();
  all.push(enter('quiet'));
  await Promise.all(all);
  t.equal(order.length, 401);
  t.ok(order.indexOf('quiet') < 100, `${order.indexOf('quiet')} came first`);
});

t.test('workspaces that wait go by turns; a few need not wait', async (t) => {
  const { enter, order } = entering();
  await Promise.all([...manyOf('first', 32), 'a', 'a', 'a', 'a', 'b', 'b', 'b'].map(enter));
  t.strictSame(order.slice(0, 32), manyOf('first', 32));
  t.equal(order.slice(32).join(''), 'abababa');
});

t.test('where each takes its time, a round of the event loop has one', async (t) => {
  let time = 0;
  const turns = turnsBy(() => time);
  let rounds = 0;
  const enteredIn: number[] = [];
  const all = Array.from({ length: 40 }, async () => {
    await turns.enter('busy');
    enteredIn.push(rounds);
    time += 10;
  });
  for (; enteredIn.length < all.length && rounds < 100; rounds += 1) await nextRound();
  await Promise.all(all);
  const later = enteredIn.filter((round) => round > 0);
  t.ok(later.length >= 4);
  t.equal(new Set(later).size, later.length, enteredIn.join(' '));
});

t.test('a line that was empty again starts afresh', async (t) => {
  const turns = turnsBy(() => 0);
  for (let round = 0; round < 3; round += 1) {
    let entered = 0;
    await Promise.all(Array.from({ length: 100 }, () => turns.enter('busy').then(() => (entered += 1))));
    t.equal(entered, 100);
    await nextRound();
  }
});

t.test('of answers that become ready together, those that find no time left in the round wait', async (t) => {
  let time = 0;
  const turns = turnsBy(() => time);
  let rounds = 0;
  const writtenIn = async (count: number, ms: number): Promise<number[]> => {
    const written: number[] = [];
    const all = Array.from({ length: count }, async () => {
      await null;
      const turn = turns.goOn('busy');
      if (turn) await turn;
      written.push(rounds);
      time += ms;
    });
    for (rounds = 0; written.length < count && rounds < 100; rounds += 1) await nextRound();
    await Promise.all(all);
    return written;
  };
  t.same(new Set(await writtenIn(100, 0)), new Set([0]), 'small ones leave at once');
  await nextRound();
  const large = await writtenIn(8, 10);
  t.ok(new Set(large).size >= 7, `large ones: ${large.join(' ')}`);
});

t.test('an answer that takes up a round does not keep out whoever waits', async (t) => {
  let time = 0;
  const turns = turnsBy(() => time);
  let entered = false;
  await turns.enter('busy');
  time += 10;
  const waits = turns.enter('quiet').then(() => {
    entered = true;
  });
  for (let round = 0; round < 10 && !entered; round += 1) {
    await nextRound();
    await turns.goOn('busy');
    time += 10;
  }
  t.ok(entered);
  await waits;
});

t.test('a request is refused after 20 s at the door, and those behind it come sooner', async (t) => {
  let time = 0;
  const thread = createThreadShares(
    () => time,
    async (ms) => {
      time += ms;
    },
  );
  for (let n = 0; n < 500; n += 1) thread.underWay('busy');
  const turns = createRequestTurns(thread, () => time);
  const waited: number[] = [];
  const work = async (ms: number): Promise<number> => {
    const since = time;
    try {
      await turns.enter('busy');
    } finally {
      waited.push(time - since);
    }
    time += ms;
    await turns.enter('quiet');
    return time - since;
  };
  await turns.enter('quiet');
  for (let n = 0; n < 5; n += 1) await work(100);
  const ends = await Promise.allSettled(Array.from({ length: 500 }, () => work(100)));
  const refused = ends.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  t.ok(refused.length > 300 && refused.length < 490, `${refused.length} are refused`);
  t.ok(refused.every(({ reason }) => reason instanceof DoorBusy));
  t.ok(Math.max(...waited) < 21_000, `${Math.max(...waited)} ms`);
  t.equal(
    ends.findIndex(({ status }) => status === 'rejected'),
    500 - refused.length,
    'the first are let in',
  );
  t.ok((await work(1)) < 1000, 'the line is empty again');
});

t.test('also by turns, no request stands at the door for longer than 20 s', async (t) => {
  let time = 0;
  const turns = turnsBy(() => time);
  const waited: number[] = [];
  const ends = await Promise.allSettled(
    Array.from({ length: 300 }, async () => {
      await turns.enter('busy').finally(() => waited.push(time));
      time += 100;
    }),
  );
  const refused = ends.filter(({ status }) => status === 'rejected').length;
  t.ok(refused > 80 && refused < 110, `${refused} are refused`);
  t.ok(Math.max(...waited) <= 20_100, `${Math.max(...waited)} ms`);
});

t.test('nor while another workspace comes again and again', async (t) => {
  let time = 0;
  const turns = turnsBy(() => time);
  let left = 400;
  const waited: number[] = [];
  const again = async (): Promise<void> => {
    while (left > 0) {
      await turns.enter('other');
      time += 100;
    }
  };
  const others = Promise.all([again(), again(), again()]);
  await Promise.all(
    Array.from({ length: 400 }, async () => {
      const may = await turns.enter('busy').then(
        () => true,
        () => false,
      );
      waited.push(time);
      if (may) time += 100;
      left -= 1;
    }),
  );
  await others;
  t.ok(Math.max(...waited) <= 20_300, `${Math.max(...waited)} ms`);
});
