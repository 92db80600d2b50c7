import type { Test } from 'tap';
import { createMemoryBudget as createBudget, type Hold } from '../../../core/http/limits/memory-budget.js';
import t from '../../support/t.js';

/** A budget whose owners may hold as much as they leave free. */
function createMemoryBudget(capacity: number) {
  const budget = createBudget(capacity);
  return {
    get held() {
      return budget.held;
    },
    hold: (owner: string) => budget.hold([{ owner, ofFree: 1 }]),
    /** An owner within a workspace. */
    within: (owner: string) =>
      budget.hold([
        { owner, ofFree: 1 },
        { owner: 'workspace', ofFree: 2 },
      ]),
  };
}

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

t.test('inside of a workspace, no owner can take all', async (t) => {
  const budget = createMemoryBudget(1200);
  const fill = (owner: string) => {
    let bytes = 0;
    while (budget.within(owner).change(10)) bytes += 10;
    return bytes;
  };
  t.equal(fill('greedy'), 600, 'half, as if it were alone');
  t.equal(fill('second'), 200);
  t.equal(fill('third'), 0, 'the workspace has two thirds');
  t.ok(budget.hold('another workspace').change(200));
});

/** Keeps the process alive: the timer of a budget does not. */
function stayAlive(t: Test): void {
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
}

t.test('a body waits for memory, and leaves room for an older one of its owner', async (t) => {
  stayAlive(t);
  const budget = createMemoryBudget(1000);
  const taken = budget.hold('one');
  taken.change(200);
  const order: string[] = [];
  const wait = async (name: string, owner: string, bytes: number) => {
    const hold = budget.hold(owner);
    t.ok(await hold.growWithin(bytes, bytes, 60_000));
    order.push(name);
    return hold;
  };
  const large = wait('large', 'one', 350);
  await wait('another owner', 'two', 100);
  const small = wait('small', 'one', 10);
  t.strictSame(order, ['another owner']);
  taken.set(0);
  await Promise.all([large, small]);
  t.strictSame(order, ['another owner', 'large', 'small']);
  t.equal(budget.held, 350 + 100 + 10);
});

t.test('bodies that arrive together do not wait for each other for ever', async (t) => {
  stayAlive(t);
  const budget = createMemoryBudget(1000);
  const receive = async (): Promise<Hold> => {
    const hold = budget.hold('one');
    for (let bytes = 50; bytes <= 300; bytes += 50) {
      t.ok(await hold.growWithin(bytes, 300, 60_000));
      await Promise.resolve();
    }
    hold.set(300);
    setImmediate(() => hold.set(0));
    return hold;
  };
  await Promise.all(Array.from({ length: 10 }, receive));
});

t.test('a body for which no room becomes free holds what it held', async (t) => {
  stayAlive(t);
  const budget = createMemoryBudget(1000);
  budget.hold('one').change(400);
  const large = budget.hold('one');
  t.equal(await large.growWithin(101, 101, 1), false);
  t.equal(await budget.hold('one').roomWithin(101, 1), false);
  t.equal(budget.held, 400);
  t.ok(await large.growWithin(100, 100, 1));
  t.ok(await budget.hold('two').roomWithin(250, 1));
  t.equal(budget.held, 500, 'room is not held');
});

t.test('a body whose request ended while it waited takes nothing', async (t) => {
  stayAlive(t);
  const budget = createMemoryBudget(1000);
  const taken = budget.hold('one');
  taken.change(400);
  const gone = budget.hold('one');
  const waiting = gone.growWithin(101, 101, 60_000);
  gone.set(0);
  taken.set(0);
  await waiting;
  t.equal(budget.held, 0);
  t.ok(await budget.hold('one').growWithin(500, 500, 1), 'nor does it keep room');
});
