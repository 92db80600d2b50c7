import type { PassivationReason } from '../../../core/actors/actor-lifecycle.js';
import { type Activation, createDirectory, Reentrant, Stopped } from '../../../core/actors/directory.js';
import { MailboxFull } from '../../../core/actors/mailbox.js';
import t from '../../support/t.js';

function setUp(options: { maxActive?: number; mailboxCapacity?: number } = {}) {
  let now = 0;
  const left: [string, PassivationReason][] = [];
  /** A message that carries its own handler. */
  type Work<T> = (activation: Activation<string>) => Promise<T>;
  const takeAll = async (activation: Activation<string>, works: Work<unknown>[]) => {
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (const work of works) outcomes.push(...(await Promise.allSettled([work(activation)])));
    return outcomes;
  };
  const directory = createDirectory(
    {
      maxActive: options.maxActive ?? 100,
      idleMs: 1000,
      mailboxCapacity: options.mailboxCapacity ?? 100,
      clock: { now: () => now },
      onPassivate: (id, reason) => left.push([id, reason]),
    },
    takeAll,
  );
  const turn = <T>(id: string, work: Work<T>) => directory.turn(id, work) as Promise<T>;
  const remember = (id: string) =>
    turn(id, async (activation) => {
      activation.remembered = `state of ${id}`;
    });
  const recall = (id: string) => turn(id, async (activation) => activation.remembered);
  return {
    directory,
    turn,
    left,
    remember,
    recall,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

t.test('an activation keeps its state until it is passivated', async (t) => {
  const { directory, left, remember, recall } = setUp();
  await remember('a');
  t.equal(await recall('a'), 'state of a');
  directory.passivate('a', 'failed');
  t.equal(await recall('a'), null);
  t.same(left, [['a', 'failed']]);
});

t.test('idle actors are evicted; busy and recent ones stay', async (t) => {
  const { directory, left, remember, pass } = setUp();
  await remember('old');
  pass(900);
  await remember('young');
  pass(200);
  directory.passivateIdle();
  t.same(left, [['old', 'idle']]);
  t.equal(directory.size, 1);
});

t.test('the number of active actors is limited: the least recently used is evicted', async (t) => {
  const { directory, left, remember, recall } = setUp({ maxActive: 2 });
  await remember('a');
  await remember('b');
  await recall('a');
  await remember('c');
  t.same(left, [['b', 'crowded']]);
  t.equal(directory.size, 2);
});

t.test('an actor in the middle of a turn is not evicted, and keeps its mailbox', async (t) => {
  const { turn, remember } = setUp({ maxActive: 1 });
  let finish = () => {};
  const long = turn('busy', async (activation) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    activation.remembered = 'kept';
    return 'done';
  });
  await new Promise(setImmediate);
  const behind = turn('busy', async (activation) => activation.remembered);
  await remember('other');
  finish();
  t.equal(await long, 'done');
  t.equal(await behind, 'kept');
});

t.test('an actor that sends itself a message during its turn fails instead of deadlocking', async (t) => {
  const { turn, recall } = setUp();
  await t.rejects(
    turn('a', () => recall('a')),
    Reentrant,
  );
  t.equal(await turn('a', () => recall('b')), null, 'another actor may be asked');
});

t.test('overload of one actor does not affect others', async (t) => {
  const { turn } = setUp({ mailboxCapacity: 1 });
  let finish = () => {};
  const held = turn('a', () => new Promise<void>((resolve) => (finish = resolve)));
  await t.rejects(
    turn('a', async () => {}),
    MailboxFull,
  );
  t.equal(await turn('b', async () => 'free'), 'free');
  finish();
  await held;
});

t.test('stopping waits for a full mailbox too', async (t) => {
  const { directory, turn } = setUp({ mailboxCapacity: 1 });
  let finish = () => {};
  let ended = false;
  const held = turn('a', () => new Promise<void>((resolve) => (finish = resolve))).then(() => {
    ended = true;
  });
  const stopped = directory.stop().then(() => ended);
  setImmediate(() => finish());
  t.equal(await stopped, true);
  await held;
});

t.test('stopping completes queued messages and accepts no more', async (t) => {
  const { directory, left, remember } = setUp();
  const last = remember('a');
  const stopped = directory.stop();
  await t.rejects(remember('a'), Stopped);
  await last;
  await stopped;
  t.same(left, [['a', 'shutting-down']]);
});
