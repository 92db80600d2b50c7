import { createDeliveries } from '../../../adapters/local-queue/deliveries.js';
import type { TaskEvent } from '../../../core/tasks/wire.js';
import { fileTask, pageTask } from '../../contracts/queue.contract.js';
import t from '../../support/t.js';

const make = (maxDeliveries: number, capacity = 100) => {
  const dead: TaskEvent[] = [];
  return {
    dead,
    deliveries: createDeliveries({ capacity, maxDeliveries, onDead: (event) => dead.push(event) }),
  };
};

t.test('only tasks that a dead worker had started count as delivered', async (t) => {
  const { deliveries, dead } = make(2);
  const [begun, sent] = [pageTask('begun'), pageTask('sent')];
  deliveries.add(begun);
  deliveries.add(sent);
  for (let death = 0; death < 2; death += 1) {
    for (let task = deliveries.take(2); task !== undefined; task = deliveries.take(2)) {
      if (task.message.taskId === begun.taskId) deliveries.began(task.id);
    }
    deliveries.handBackAll('it died');
  }
  t.equal(dead.length, 1);
  t.match(dead[0], { kind: 'dead', taskId: begun.taskId, attempt: 1, reason: 'it died (delivered 2 times)' });
  t.equal(deliveries.waiting, 1, 'the other is still there');
});

t.test('the last delivery runs alone', async (t) => {
  const { deliveries } = make(3);
  const [suspect, fellow] = [pageTask('suspect'), pageTask('fellow')];
  deliveries.add(suspect);
  deliveries.add(fellow);
  for (let death = 0; death < 2; death += 1) {
    const [one, two] = [deliveries.take(4), deliveries.take(4)];
    t.ok(one !== undefined && two !== undefined, 'side by side while another chance is left');
    for (const task of [one, two]) if (task !== undefined) deliveries.began(task.id);
    deliveries.handBackAll('it died');
  }
  const alone = deliveries.take(4);
  t.equal(alone?.message.taskId, suspect.taskId);
  t.equal(deliveries.take(4), undefined);
  deliveries.began(alone?.id ?? 0);
  deliveries.done(alone?.id ?? 0);
  const next = deliveries.take(4);
  t.equal(next?.message.taskId, fellow.taskId);
  deliveries.add(pageTask('fresh'));
  t.equal(deliveries.take(4), undefined, 'nothing joins a last delivery');
  deliveries.began(next?.id ?? 0);
  deliveries.done(next?.id ?? 0);
  t.ok(deliveries.take(4), 'then the rest goes on');
});

t.test('runs at most the slots of each type', async (t) => {
  const { deliveries } = make(3);
  for (let n = 0; n < 5; n += 1) deliveries.add(pageTask('x'));
  t.ok(deliveries.take(2));
  t.ok(deliveries.take(2));
  t.equal(deliveries.take(2), undefined);
  t.equal(deliveries.take(0), undefined);
  t.same([deliveries.running, deliveries.waiting], [2, 3]);
  deliveries.add(fileTask('x'));
  t.equal(deliveries.take(2)?.message.type, 'parse_file', 'a file does not wait behind pages');
});

t.test('one delivery allowed means one', async (t) => {
  const { deliveries, dead } = make(1);
  deliveries.add(pageTask('x'));
  const task = deliveries.take(1);
  deliveries.began(task?.id ?? 0);
  deliveries.handBack(task?.id ?? 0, 'rejected');
  t.equal(dead.length, 1);
  t.equal(deliveries.waiting, 0);
});

t.test('workspaces take turns, and so do the agents of each', async (t) => {
  const { deliveries } = make(3);
  for (const name of ['big/a', 'big/a', 'big/b', 'big/c', 'small/d', 'small/d']) {
    const [workspaceId = '', agentId = ''] = name.split('/');
    deliveries.add({ ...pageTask('x', agentId), workspaceId });
  }
  const order = Array.from({ length: 6 }, () => deliveries.take(10)?.message.agentId);
  t.same(order, ['a', 'd', 'b', 'd', 'c', 'a']);
});

t.test('a full queue refuses tasks until an attempt has ended', async (t) => {
  const { deliveries } = make(3, 2);
  t.ok(deliveries.add(pageTask('1')));
  t.ok(deliveries.add(pageTask('2')));
  t.notOk(deliveries.add(pageTask('3')));
  const first = deliveries.take(10);
  t.notOk(deliveries.add(pageTask('3')), 'a running task counts');
  deliveries.done(first?.id ?? 0);
  t.ok(deliveries.add(pageTask('3')));
});

t.test('an attempt is queued once, and the next attempt is another', async (t) => {
  const { deliveries } = make(3);
  const task = pageTask('x');
  for (const message of [task, { ...task }, { ...task, attempt: 2 }]) t.ok(deliveries.add(message));
  t.equal(deliveries.waiting, 2);
});

t.test('a task that a worker gave back comes first', async (t) => {
  const { deliveries } = make(3);
  const [first, second] = [pageTask('x'), pageTask('y')];
  deliveries.add(first);
  deliveries.add(second);
  deliveries.handBack(deliveries.take(10)?.id ?? 0, 'not now');
  t.equal(deliveries.take(10)?.message.taskId, first.taskId);
});
