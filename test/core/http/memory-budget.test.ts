import t from 'tap';
import { createMemoryBudget } from '../../../core/http/memory-budget.js';

t.test('one owner alone has half, and others find room however much it takes', async (t) => {
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

t.test('what is given back can be held by anybody', async (t) => {
  const budget = createMemoryBudget(1000);
  const holds = Array.from({ length: 4 }, () => budget.hold('one'));
  for (const hold of holds) t.equal(hold.change(200), hold !== holds[2] && hold !== holds[3]);
  holds[0]?.set(0);
  t.ok(holds[2]?.change(200));
  for (const hold of holds) hold.set(0);
  t.equal(budget.held, 0);
});

t.test('a hold may grow and shrink; a refusal leaves it as it was', async (t) => {
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

t.test('a hold counts with its size, and one that is larger than half is refused', async (t) => {
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

t.test('what exists already is held without a question, and not at the cost of others', async (t) => {
  const budget = createMemoryBudget(1000);
  for (let n = 0; n < 10; n++) budget.hold('one').set(200);
  t.equal(budget.held, 2000);
  t.notOk(budget.hold('one').change(1));
  t.ok(budget.hold('two').change(250));
});

t.test('without room a request may wait for it, and the first of an owner comes first', async (t) => {
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

t.test("who has waited too long holds nothing, and stands in nobody's way", async (t) => {
  const budget = createMemoryBudget(1000);
  const taken = budget.hold('one');
  taken.change(250);
  budget.hold('one').change(150);
  const large = budget.hold('one').changeWithin(250, 1);
  const small = budget.hold('one').changeWithin(101, 60_000);
  t.equal(await large, false);
  t.equal(budget.held, 400);
  taken.change(249);
  t.ok(await small);
  t.equal(budget.held, 500);
});
