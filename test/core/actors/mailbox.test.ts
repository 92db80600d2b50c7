import t from 'tap';
import { createMailbox, MailboxFull } from '../../../core/actors/mailbox.js';

const deferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

t.test('turns run one at a time, in the order in which they came', async (t) => {
  const mailbox = createMailbox(10);
  const seen: string[] = [];
  const gate = deferred();
  const first = mailbox.enter(async () => {
    seen.push('first begins');
    await gate.promise;
    seen.push('first ends');
  });
  const second = mailbox.enter(async () => {
    seen.push('second');
  });
  await new Promise(setImmediate);
  t.same(seen, ['first begins']);
  gate.resolve();
  await Promise.all([first, second]);
  t.same(seen, ['first begins', 'first ends', 'second']);
});

t.test(
  'a full line refuses at once and does nothing; there is room again when a turn has ended',
  async (t) => {
    const mailbox = createMailbox(2);
    const gate = deferred();
    const held = [mailbox.enter(() => gate.promise), mailbox.enter(() => gate.promise)];
    let ran = false;
    await t.rejects(
      mailbox.enter(async () => {
        ran = true;
      }),
      MailboxFull,
    );
    gate.resolve();
    await Promise.all(held);
    t.equal(ran, false);
    t.equal(await mailbox.enter(async () => 'in'), 'in');
  },
);

t.test('a turn that throws fails its sender only', async (t) => {
  const mailbox = createMailbox(10);
  const broken = mailbox.enter(async () => {
    throw new Error('broken');
  });
  const next = mailbox.enter(async () => 'fine');
  await t.rejects(broken, { message: 'broken' });
  t.equal(await next, 'fine');
  t.equal(mailbox.length, 0);
});
