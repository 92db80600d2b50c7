import { createMailbox, MailboxFull } from '../../../core/actors/mailbox.js';
import t from '../../support/t.js';

const deferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

type Work = () => Promise<unknown>;

/** A mailbox of messages that carry their handler. `groups`: the sizes of the batches. */
function mailboxOf(capacity: number, most = 100, enough = most) {
  const groups: number[] = [];
  const mailbox = createMailbox<Work>({
    capacity,
    most,
    enough,
    take: async (works) => {
      groups.push(works.length);
      const outcomes: PromiseSettledResult<unknown>[] = [];
      for (const work of works) outcomes.push(...(await Promise.allSettled([work()])));
      return outcomes;
    },
  });
  return {
    mailbox,
    groups,
    enter: (work: Work) => mailbox.enter(work),
    enterWithTime: (work: Work) => mailbox.enter(work, true),
  };
}

t.test('turns run one at a time, in order of arrival', async (t) => {
  const { enter } = mailboxOf(10);
  const seen: string[] = [];
  const gate = deferred();
  const first = enter(async () => {
    seen.push('first begins');
    await gate.promise;
    seen.push('first ends');
  });
  const second = enter(async () => {
    seen.push('second');
  });
  await new Promise(setImmediate);
  t.same(seen, ['first begins']);
  gate.resolve();
  await Promise.all([first, second]);
  t.same(seen, ['first begins', 'first ends', 'second']);
});

t.test('a full mailbox rejects at once, and accepts again after a turn', async (t) => {
  const { enter } = mailboxOf(2);
  const gate = deferred();
  const held = [enter(() => gate.promise), enter(() => gate.promise)];
  let ran = false;
  await t.rejects(
    enter(async () => {
      ran = true;
    }),
    MailboxFull,
  );
  gate.resolve();
  await Promise.all(held);
  t.equal(ran, false);
  t.equal(await enter(async () => 'in'), 'in');
});

t.test('a turn that throws fails only its sender', async (t) => {
  const { mailbox, enter } = mailboxOf(10);
  const broken = enter(async () => {
    throw new Error('broken');
  });
  const next = enter(async () => 'fine');
  await t.rejects(broken, { message: 'broken' });
  t.equal(await next, 'fine');
  t.equal(mailbox.length, 0);
});

t.test('waiting messages are processed together, up to a limit', async (t) => {
  const { groups, enter } = mailboxOf(100, 4);
  const gate = deferred();
  const first = enter(() => gate.promise);
  await new Promise(setImmediate);
  const others = [1, 2, 3, 4, 5, 6].map((n) => enter(async () => n));
  gate.resolve();
  await first;
  t.same(await Promise.all(others), [1, 2, 3, 4, 5, 6]);
  t.same(groups, [1, 4, 2]);
});

t.test('deferrable messages wait briefly for others; an urgent one ends the wait', async (t) => {
  const { enter, enterWithTime, groups } = mailboxOf(10, 4);
  const nothing = async () => {};
  let second: Promise<unknown> = Promise.resolve();
  const first = enterWithTime(async () => {
    second = enterWithTime(nothing);
  });
  await first;
  t.same(groups, [1], 'nothing waits where no turn was before');
  const third = enterWithTime(nothing);
  await second;
  await third;
  t.same(groups, [1, 2], 'who comes after the turn comes along');

  const gate = deferred();
  const one = enterWithTime(() => gate.promise);
  await new Promise(setImmediate);
  const two = enterWithTime(nothing);
  gate.resolve();
  await one;
  const hurried = enter(nothing);
  await Promise.all([two, hurried]);
  t.same(groups, [1, 2, 1, 2]);
});

t.test('a full batch does not wait for more', async (t) => {
  const { enterWithTime, groups } = mailboxOf(10, 100, 2);
  const nothing = async () => {};
  const others: Promise<unknown>[] = [];
  const first = enterWithTime(async () => {
    others.push(enterWithTime(nothing), enterWithTime(nothing));
  });
  await first;
  others.push(enterWithTime(nothing));
  await Promise.all(others);
  t.same(groups, [1, 2, 1]);
});
