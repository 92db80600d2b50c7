import t from 'tap';
import { createFairLine } from '../../../core/tasks/fair-line.js';

const owner = (name: string) => {
  const [workspaceId = '', agentId = ''] = name.split('/');
  return { workspaceId, agentId };
};

const lineOf = (...names: string[]) => {
  const line = createFairLine<string>();
  for (const [n, name] of names.entries()) line.add(`${name}#${n}`, owner(name));
  return line;
};

const all = (line: ReturnType<typeof lineOf>): string[] => {
  const order: string[] = [];
  for (let next = line.take(); next !== undefined; next = line.take()) order.push(next);
  return order;
};

t.test('workspaces take turns, then their agents, and within an agent the first comes first', async (t) => {
  const line = lineOf('a/1', 'a/1', 'a/1', 'a/2', 'a/2', 'b/1', 'b/1', 'c/1');
  t.equal(line.size, 8);
  t.same(['a', 'b', 'd'].map(line.sizeOf), [5, 2, 0]);
  t.equal(line.peek(), 'a/1#0');
  t.same(all(line), ['a/1#0', 'b/1#5', 'c/1#7', 'a/2#3', 'b/1#6', 'a/1#1', 'a/2#4', 'a/1#2']);
  t.same([line.size, line.peek()], [0, undefined]);
});

t.test('one that may not go lets others pass, and keeps its place', async (t) => {
  const line = lineOf('a/1', 'a/2', 'b/1');
  t.equal(
    line.take((item) => item.startsWith('b')),
    'b/1#2',
  );
  t.equal(
    line.take(() => false),
    undefined,
  );
  t.same(all(line), ['a/1#0', 'a/2#1']);
});

t.test('one that gives up leaves the line once', async (t) => {
  const line = lineOf('a/1', 'a/1', 'b/1');
  t.ok(line.remove('a/1#0', owner('a/1')));
  t.notOk(line.remove('a/1#0', owner('a/1')));
  t.notOk(line.remove('x', owner('never/seen')));
  t.same([line.size, ...all(line)], [2, 'a/1#1', 'b/1#2']);
});
