import { mapInSlices, nextSlice } from '../../../core/fairness/time-slices.js';
import t from '../../support/t.js';

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

t.test('long work yields the event loop to other work', async (t) => {
  const seen: string[] = [];
  const other = (): void => {
    seen.push('other');
    if (seen.filter((who) => who === 'long').length < 3) setImmediate(other);
  };
  setImmediate(other);
  const results = await mapInSlices([1, 2, 3], (n) => {
    hold(11);
    seen.push('long');
    return n * 2;
  });
  t.same(results, [2, 4, 6]);
  t.same(seen.slice(0, 5), ['long', 'other', 'long', 'other', 'long']);
});

t.test('one slice starts per iteration of the event loop', async (t) => {
  const seen: string[] = [];
  const count = (): void => {
    seen.push('iteration');
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const slices = ['first', 'second', 'third'].map((name) => nextSlice().then(() => seen.push(name)));
  await Promise.all(slices);
  clearImmediate(counting);
  const order = seen.filter((name, n) => name !== seen[n - 1]);
  t.same(order.slice(order.indexOf('first')), ['first', 'iteration', 'second', 'iteration', 'third']);
});

t.test('slices of turns do not queue behind those of requests', async (t) => {
  const seen: string[] = [];
  const requests = [1, 2, 3].map(() => nextSlice().then(() => seen.push('request')));
  await nextSlice('turn');
  t.ok(seen.length <= 1, `${seen.length} requests came first`);
  await Promise.all(requests);
});
