import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import { createThreadShares } from '../../../core/tasks/thread-shares.js';

type Thread = ReturnType<typeof createThreadShares>;

/** Each of these has as many things under way all the time. */
function under(thread: Thread, count: number, workspaceIds: string[]): void {
  for (const workspaceId of workspaceIds) for (let n = 0; n < count; n += 1) thread.underWay(workspaceId);
}

const EVERYBODY = ['busy', 'quiet', 'a', 'b', 'reports', 'asks', 'next', 'idle'];

/** A thread on a clock that only work and rests move; on it, everybody has many things under way. */
function slowly() {
  let time = 0;
  const rests: number[] = [];
  const thread = createThreadShares(
    () => time,
    async (ms) => {
      time += ms;
      rests.push(ms);
    },
  );
  under(thread, 10, EVERYBODY);
  const begun: string[] = [];
  /** A piece of work that takes so long, within one round. */
  const piece = async (who: string, ms: number): Promise<void> => {
    await thread.begin(who);
    begun.push(who);
    thread.worksFor(who);
    time += ms;
    thread.worksFor(null);
  };
  return {
    thread,
    piece,
    rests,
    begun,
    now: () => time,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

t.test('who is alone never waits, however much it takes', async (t) => {
  const { thread, piece, pass } = slowly();
  await piece('quiet', 1);
  pass(2000);
  for (let n = 0; n < 50; n += 1) {
    t.equal(thread.begin('busy'), undefined);
    await piece('busy', 20);
  }
});

t.test(
  'beside another, who takes the whole thread gets a quarter of it, and the other never waits',
  async (t) => {
    const { thread, piece, begun, now, pass } = slowly();
    for (let n = 0; n < 20; n += 1) await piece('busy', 10);
    t.equal(thread.begin('quiet'), undefined);
    for (let n = 0; n < 5; n += 1) await piece('busy', 10);
    const from = now();
    for (let n = 0; n < 40; n += 1) {
      await piece('busy', 10);
      pass(1);
      t.equal(thread.begin('quiet'), undefined);
    }
    const part = 400 / (now() - from);
    t.ok(part > 0.15 && part < 0.3, `${part} of the thread`);
    t.equal(begun.length, 65);
  },
);

t.test('several that take about as much do not wait, nor does who takes little more', async (t) => {
  const { thread, piece } = slowly();
  for (let n = 0; n < 50; n += 1) {
    t.equal(thread.begin('a'), undefined);
    await piece('a', 9);
    t.equal(thread.begin('b'), undefined);
    await piece('b', 6);
  }
});

t.test(
  'those who wait begin in their order, and with whoever slowed them down gone, all at once',
  async (t) => {
    const { thread, pass, piece, rests } = slowly();
    await piece('quiet', 1);
    for (let n = 0; n < 10; n += 1) await piece('busy', 30);
    void thread.begin('quiet');
    for (let n = 0; n < 5; n += 1) await nextRound();
    rests.length = 0;
    const order: number[] = [];
    const all = Array.from({ length: 5 }, async (_, n) => {
      await thread.begin('busy');
      order.push(n);
    });
    t.same(order, []);
    t.equal(rests.length, 1, 'a rest has begun');
    pass(2000);
    await nextRound();
    await Promise.all(all);
    t.same(order, [0, 1, 2, 3, 4]);
    t.equal(rests.length, 1);
  },
);

t.test('who waits begins after 200 ms at the latest, even when its own work goes on meanwhile', async (t) => {
  let time = 0;
  const thread = createThreadShares(
    () => time,
    async (ms) => {
      thread.worksFor('busy');
      time += ms;
      thread.worksFor(null);
    },
  );
  under(thread, 10, EVERYBODY);
  void thread.begin('busy');
  void thread.begin('quiet');
  thread.worksFor('busy');
  time = 500;
  thread.worksFor(null);
  for (let n = 0; n < 3; n += 1) {
    void thread.begin('quiet');
    const from = time;
    await thread.begin('busy');
    t.ok(time - from > 0 && time - from <= 200, `${time - from} ms`);
    await nextRound();
  }
});

t.test('whoever stands in line is there, however long ago it came', async (t) => {
  let time = 0;
  const thread = createThreadShares(
    () => time,
    async (ms) => {
      time += ms;
      void thread.begin('quiet');
    },
  );
  under(thread, 10, EVERYBODY);
  const pieces = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        await thread.begin('busy');
        thread.worksFor('busy');
        time += 20;
        thread.worksFor(null);
      }),
    );
  void thread.begin('quiet');
  await pieces(5);
  t.equal(time, 100, 'there was no line yet');
  await pieces(60);
  const part = 1200 / (time - 100);
  t.ok(part < 0.4, `${part} of the thread`);
});

t.test('what others wait behind rests as the first in line would, however many stand there', async (t) => {
  const { thread, piece, pass, rests } = slowly();
  t.equal(thread.beginBeside('busy'), undefined, 'who is alone never waits');
  void thread.begin('quiet');
  for (let n = 0; n < 10; n += 1) await piece('busy', 30);
  void thread.begin('quiet');
  for (let n = 0; n < 5; n += 1) await nextRound();
  t.equal(thread.beginBeside('quiet'), undefined);
  const order: string[] = [];
  const work = (what: string) => {
    order.push(what);
    thread.worksFor('busy');
    pass(30);
    thread.worksFor(null);
  };
  rests.length = 0;
  await thread.beginBeside('busy');
  t.equal(rests.length, 1);
  work('first event');
  const all = Array.from({ length: 20 }, async (_, n) => {
    await thread.begin('busy');
    work(`request ${n}`);
  });
  await thread.beginBeside('busy');
  order.push('event');
  await Promise.all(all);
  t.equal(order.length, 22);
  t.ok(order.indexOf('event') < 4, `${order.indexOf('event')} came first`);
  t.ok(rests.length > 10, 'the requests wait for each other');
});

t.test('a request whose time is over is refused, also behind pieces of uploads', async (t) => {
  const { thread, piece, pass, now } = slowly();
  void thread.begin('quiet');
  for (let n = 0; n < 10; n += 1) await piece('busy', 30);
  const work = () => {
    thread.worksFor('busy');
    pass(100);
    thread.worksFor(null);
    void thread.begin('quiet');
  };
  void thread.begin('quiet');
  const pieces = Array.from({ length: 100 }, async () => {
    t.equal(await thread.begin('busy'), true);
    work();
  });
  const until = now() + 5000;
  t.equal(await thread.begin('busy', until), false);
  t.ok(now() < until + 500, `${now() - until} ms late`);
  await Promise.all(pieces);
});

t.test('nobody waits for a workspace that only has reports; these wait for one that asks', async (t) => {
  const { thread, piece, pass, rests } = slowly();
  for (let n = 0; n < 50; n += 1) {
    void thread.beginBeside('reports');
    t.equal(thread.begin('asks'), undefined);
    await piece('asks', 20);
  }
  t.same(rests, []);
  await thread.beginBeside('asks');
  t.same(rests, [], 'nor do its own reports');
  for (let n = 0; n < 50; n += 1) {
    await thread.beginBeside('reports');
    thread.worksFor('reports');
    pass(30);
    thread.worksFor(null);
    await piece('asks', 1);
  }
  t.ok(rests.length > 20, `${rests.length} rests`);
});

t.test('nobody waits for a workspace that stands in line itself', async (t) => {
  let time = 0;
  const thread = createThreadShares(
    () => time,
    () => new Promise(() => {}),
  );
  under(thread, 10, EVERYBODY);
  const works = (who: string, ms: number) => {
    thread.worksFor(who);
    time += ms;
    thread.worksFor(null);
  };
  void thread.begin('quiet');
  void thread.begin('busy');
  works('busy', 900);
  t.ok(thread.begin('busy'), 'stands in line for the sake of the quiet one');
  t.equal(thread.begin('next'), undefined);
  works('next', 50);
  t.ok(thread.begin('busy'));
  works('next', 400);
  t.equal(thread.begin('next'), undefined, 'only the one in line has asked within the last second');
  void thread.begin('quiet');
  t.ok(thread.begin('next'));
});

t.test('who has two things under way at a time does not wait, however much it takes', async (t) => {
  let time = 0;
  let whileResting = () => {};
  const thread = createThreadShares(
    () => time,
    async (ms) => {
      time += ms;
      whileResting();
    },
  );
  const takes = (ms: number) => {
    thread.worksFor('busy');
    time += ms;
    thread.worksFor(null);
  };
  void thread.begin('quiet');
  const [first, second] = [thread.underWay('busy'), thread.underWay('busy')];
  for (let n = 0; n < 20; n += 1) {
    t.equal(thread.begin('busy'), undefined);
    takes(20);
    void thread.begin('quiet');
  }
  const third = thread.underWay('busy');
  let rests = 0;
  whileResting = () => {
    rests += 1;
    takes(50);
    void thread.begin('quiet');
    third();
    third();
  };
  const held = thread.begin('busy');
  t.ok(held, 'of three, one waits');
  t.equal(await held, true);
  t.equal(rests, 1, 'and no longer when another has ended');
  for (let n = 0; n < 5; n += 1) await nextRound();
  t.equal(thread.begin('busy'), undefined);
  t.ok(thread.beginBeside('busy'), 'what its workers report is another matter');
  thread.underWay('busy');
  t.ok(thread.begin('busy'), 'an end counts once');
  first();
  second();
});

t.test('what is said of nobody, or after the round has ended, counts for nobody', async (t) => {
  const { thread, pass } = slowly();
  void thread.begin('idle');
  void thread.begin('quiet');
  thread.worksFor('idle');
  await nextRound();
  await nextRound();
  pass(900);
  thread.worksFor(null);
  pass(90);
  thread.worksFor('quiet');
  t.equal(thread.begin('idle'), undefined);
});

t.test('whether others ask is known for a second', async (t) => {
  let time = 0;
  const thread = createThreadShares(() => time);
  t.equal(thread.othersAsk('busy'), false, 'nobody has asked');
  void thread.begin('busy');
  t.equal(thread.othersAsk('busy'), false, 'a workspace is no other to itself');
  void thread.begin('quiet');
  t.equal(thread.othersAsk('busy'), true);
  time += 1100;
  t.equal(thread.othersAsk('busy'), false, 'that was long ago');
});
