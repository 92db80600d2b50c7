import t from 'tap';
import { createBacklog } from '../../../adapters/local-queue/backlog.js';
import { taskTypeNames as types } from '../../../core/tasks/task-types.js';
import { pageTask } from '../../contracts/queue.contract.js';

t.test('an agent with many tasks starves no other', async (t) => {
  const backlog = createBacklog(100);
  for (const agent of ['a', 'a', 'a', 'b', 'c', 'c']) backlog.add(pageTask('x', agent));
  const order = Array.from({ length: 6 }, () => backlog.next(types)?.message.agentId);
  t.same(order, ['a', 'b', 'c', 'a', 'c', 'a']);
  t.equal(backlog.next(types), undefined);
});

t.test('a workspace with many agents starves no other', async (t) => {
  const backlog = createBacklog(100);
  for (const name of ['big/a', 'big/a', 'big/b', 'big/c', 'small/d', 'small/d']) {
    const [workspaceId = '', agentId = ''] = name.split('/');
    backlog.add({ ...pageTask('x', agentId), workspaceId });
  }
  const order = Array.from({ length: 6 }, () => backlog.next(types)?.message.agentId);
  t.same(order, ['a', 'd', 'b', 'd', 'c', 'a']);
});

t.test('a full backlog refuses, and takes again when an attempt has ended', async (t) => {
  const backlog = createBacklog(2);
  t.ok(backlog.add(pageTask('1')));
  t.ok(backlog.add(pageTask('2')));
  t.notOk(backlog.add(pageTask('3')));
  const first = backlog.next(types);
  t.notOk(backlog.add(pageTask('3')), 'a task that a worker has still counts');
  if (first !== undefined) backlog.forget(first);
  t.ok(backlog.add(pageTask('3')));
  t.equal(backlog.size, 2);
});

t.test('the same attempt twice is one delivery, the next attempt another', async (t) => {
  const backlog = createBacklog(10);
  const task = pageTask('x');
  t.ok(backlog.add(task));
  t.ok(backlog.add({ ...task }));
  t.equal(backlog.size, 1);
  t.ok(backlog.add({ ...task, attempt: 2 }));
  t.equal(backlog.size, 2);
});

t.test('what a worker had before comes first', async (t) => {
  const backlog = createBacklog(10);
  const [first, second] = [pageTask('x'), pageTask('y')];
  backlog.add(first);
  backlog.add(second);
  const delivery = backlog.next(types);
  if (delivery !== undefined) backlog.putBack(delivery);
  t.equal(backlog.peek(types)?.message.taskId, first.taskId);
  t.equal(backlog.next(types)?.message.taskId, first.taskId);
  t.equal(backlog.size, 1);
});
