import t from 'tap';
import { createRota } from '../../../adapters/local-queue/rota.js';
import type { TaskEvent } from '../../../core/jobs/wire.js';
import { pageTask } from '../../contracts/queue.contract.js';

const make = (maxDeliveries: number) => {
  const dead: TaskEvent[] = [];
  return { dead, rota: createRota({ capacity: 100, maxDeliveries, onDead: (event) => dead.push(event) }) };
};

t.test('only what a dead worker had begun counts as delivered', async (t) => {
  const { rota, dead } = make(2);
  const [begun, sent] = [pageTask('begun'), pageTask('sent')];
  rota.add(begun);
  rota.add(sent);
  for (let death = 0; death < 2; death += 1) {
    for (let task = rota.take(2); task !== undefined; task = rota.take(2)) {
      if (task.message.taskId === begun.taskId) rota.began(task.id);
    }
    rota.handBackAll('it died');
  }
  t.equal(dead.length, 1);
  t.match(dead[0], { kind: 'dead', taskId: begun.taskId, attempt: 1, reason: 'it died (delivered 2 times)' });
  t.equal(rota.waiting, 1, 'the other is still there');
});

t.test('the last delivery runs alone', async (t) => {
  const { rota } = make(3);
  const [suspect, fellow] = [pageTask('suspect'), pageTask('fellow')];
  rota.add(suspect);
  rota.add(fellow);
  for (let death = 0; death < 2; death += 1) {
    const [one, two] = [rota.take(4), rota.take(4)];
    t.ok(one !== undefined && two !== undefined, 'side by side while another chance is left');
    for (const task of [one, two]) if (task !== undefined) rota.began(task.id);
    rota.handBackAll('it died');
  }
  const alone = rota.take(4);
  t.equal(alone?.message.taskId, suspect.taskId);
  t.equal(rota.take(4), undefined);
  rota.began(alone?.id ?? 0);
  rota.done(alone?.id ?? 0);
  const next = rota.take(4);
  t.equal(next?.message.taskId, fellow.taskId);
  rota.add(pageTask('fresh'));
  t.equal(rota.take(4), undefined, 'nothing joins a last delivery');
  rota.began(next?.id ?? 0);
  rota.done(next?.id ?? 0);
  t.ok(rota.take(4), 'then the rest goes on');
});

t.test('no more than the slots are handed out', async (t) => {
  const { rota } = make(3);
  for (let n = 0; n < 5; n += 1) rota.add(pageTask('x'));
  t.ok(rota.take(2));
  t.ok(rota.take(2));
  t.equal(rota.take(2), undefined);
  t.equal(rota.take(0), undefined);
  t.same([rota.running, rota.waiting], [2, 3]);
});

t.test('one delivery allowed means one', async (t) => {
  const { rota, dead } = make(1);
  rota.add(pageTask('x'));
  const task = rota.take(1);
  rota.began(task?.id ?? 0);
  rota.handBack(task?.id ?? 0, 'rejected');
  t.equal(dead.length, 1);
  t.equal(rota.waiting, 0);
});
