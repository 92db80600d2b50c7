import t, { type Test } from 'tap';
import { createMemoryBudget } from '../../../core/http/memory-budget.js';

t.test('one owner gets at most half, and others always find space', async (t) => {
  const budget = createMemoryBudget(1000);
  const take = (owner: string, bytes: number) => budget.hold(owner).change(bytes);
  let greedy = 0;
  while (take('greedy', 50)) greedy += 50;
  t.equal(greedy, 500);
  let second = 0;
  while (take('second', 50)) second += 50;
  t.equal(second, 250);
  t.ok(take('third', 100));
  t.notOk(take('greedy', 1));
  t.equal(budget.held, 850);
});

t.test('released memory is available to every owner', async (t) => {
  const budget = createMemoryBudget(1000);
  const holds = Array.from({ length: 4 }, () => budget.hold('one'));
  for (const hold of holds) t.equal(hold.change(200), hold !== holds[2] && hold !== holds[3]);
  holds[0]?.set(0);
  t.ok(holds[2]?.change(200));
  for (const hold of holds) hold.set(0);
  t.equal(budget.held, 0);
});

t.test('a reservation may grow and shrink; a rejected change leaves it as it was', async (t) => {
  const budget = createMemoryBudget(1000);
  const [hold, other] = [budget.hold('one'), budget.hold('one')];
  t.ok(hold.change(100));
  t.ok(hold.change(250));
  t.ok(other.change(250));
  t.ok(other.change(200));
  hold.set(240);
  t.notOk(budget.hold('one').change(61));
  t.equal(budget.held, 440);
  t.ok(hold.change(10), 'less is always possible');
  t.equal(budget.held, 210);
});

t.test('a reservation larger than half is rejected', async (t) => {
  const budget = createMemoryBudget(1000);
  const hold = budget.hold('a');
  t.notOk(hold.change(501));
  t.equal(budget.held, 0);
  t.ok(hold.change(500));
  t.equal(budget.held, 500);
  t.notOk(budget.hold('a').change(1));
  t.notOk(budget.hold('b').change(251));
  hold.set(3000);
  t.equal(budget.held, 3000, 'what exists already counts whole');
  hold.set(0);
  t.equal(budget.held, 0);
});

t.test('existing memory is always counted, and not at the cost of others', async (t) => {
  const budget = createMemoryBudget(1000);
  for (let n = 0; n < 10; n++) budget.hold('one').set(200);
  t.equal(budget.held, 2000);
  t.notOk(budget.hold('one').change(1));
  t.ok(budget.hold('two').change(250));
});

t.test('a request may wait for memory, in order per owner', async (t) => {
  const budget = createMemoryBudget(1000);
  const taken = budget.hold('one');
  taken.change(250);
  budget.hold('one').change(200);
  const order: string[] = [];
  const wait = async (name: string, owner: string, bytes: number) => {
    const hold = budget.hold(owner);
    t.ok(await hold.changeWithin(bytes, 60_000));
    order.push(name);
    return hold;
  };
  const first = wait('first', 'one', 250);
  const second = wait('second', 'one', 150);
  await wait('another', 'two', 100);
  t.strictSame(order, ['another'], 'there is room for others');
  taken.set(0);
  const served = await first;
  t.strictSame(order, ['another', 'first']);
  served.set(0);
  await second;
  t.equal(budget.held, 200 + 100 + 150);
});

/** A budget of 1,000 bytes of which one owner holds 400, 250 of them as `taken`. */
function crowded(t: Test) {
  // The timer of a budget does not keep a process alive.
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
  const budget = createMemoryBudget(1000);
  const taken = budget.hold('one');
  taken.change(250);
  budget.hold('one').change(150);
  return { budget, taken };
}

t.test('a request that times out holds nothing and delays no other', async (t) => {
  const { budget, taken } = crowded(t);
  const large = budget.hold('one').changeWithin(250, 1);
  const small = budget.hold('one').changeWithin(101, 60_000);
  t.equal(await large, false);
  t.equal(budget.held, 400);
  taken.change(249);
  t.ok(await small);
  t.equal(budget.held, 500);
});

t.test('a request waits for an earlier, larger one of its owner, until that one times out', async (t) => {
  const { budget, taken } = crowded(t);
  const large = budget.hold('one').changeWithin(250, 50);
  const small = budget.hold('one').changeWithin(101, 60_000);
  taken.change(249);
  t.equal(budget.held, 399);
  t.equal(await large, false);
  t.ok(await small);
});
