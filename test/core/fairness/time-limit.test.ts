import { inTime, within } from '../../../core/fairness/time-limit.js';
import t from '../../support/t.js';

const never = new Promise<never>(() => {});

t.test('returns the result or error of work that ends in time', async (t) => {
  t.equal(await inTime(60_000, Promise.resolve('done'), () => 'late'), 'done');
  t.equal(await inTime(60_000, 'at once', () => 'late'), 'at once');
  await t.rejects(
    inTime(60_000, Promise.reject(new Error('broken')), () => 'late'),
    { message: 'broken' },
  );
  t.equal(await within(60_000, Promise.resolve()), true);
});

t.test('work that hangs resolves to the result of `late`', async (t) => {
  t.equal(await inTime(1, never, () => 'late'), 'late');
  const refuse = () => {
    throw new Error('took too long');
  };
  await t.rejects(inTime(1, never, refuse), { message: 'took too long' });
  t.equal(await within(1, never), false);
});

t.test('an error after the timeout is not an unhandled rejection', async (t) => {
  let fail = (_: Error): void => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  t.equal(await within(1, work), false);
  fail(new Error('nobody listens'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  t.strictSame(unhandled, []);
});
