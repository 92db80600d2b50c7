import { createRoundRobin } from '../../../core/fairness/round-robin.js';
import t from '../../support/t.js';

const owner = (name: string) => {
  const [workspaceId = '', agentId = ''] = name.split('/');
  return { workspaceId, agentId };
};

const queueOf = (...names: string[]) => {
  const queue = createRoundRobin<string>();
  for (const [n, name] of names.entries()) queue.add(`${name}#${n}`, owner(name));
  return queue;
};

const all = (queue: ReturnType<typeof queueOf>): string[] => {
  const order: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) order.push(next);
  return order;
};

t.test('workspaces are served round-robin, then their agents, then the items in FIFO order', async (t) => {
  const queue = queueOf('a/1', 'a/1', 'a/1', 'a/2', 'a/2', 'b/1', 'b/1', 'c/1');
  t.equal(queue.size, 8);
  t.same(all(queue), ['a/1#0', 'b/1#5', 'c/1#7', 'a/2#3', 'b/1#6', 'a/1#1', 'a/2#4', 'a/1#2']);
  t.equal(queue.size, 0);
});

t.test('an item that may not be served lets others pass and keeps its position', async (t) => {
  const queue = queueOf('a/1', 'a/2', 'b/1');
  t.equal(
    queue.take((item) => item.startsWith('b')),
    'b/1#2',
  );
  t.equal(
    queue.take(() => false),
    undefined,
  );
  t.same(all(queue), ['a/1#0', 'a/2#1']);
});

t.test('a removed item is not served', async (t) => {
  const queue = queueOf('a/1', 'a/1', 'b/1');
  queue.remove('a/1#0', owner('a/1'));
  queue.remove('a/1#0', owner('a/1'));
  queue.remove('x', owner('never/seen'));
  t.same([queue.size, ...all(queue)], [2, 'a/1#1', 'b/1#2']);
});
