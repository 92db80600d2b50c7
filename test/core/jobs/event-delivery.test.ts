import t from 'tap';
import { createEventDelivery } from '../../../core/jobs/event-delivery.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';
import { eventually } from '../../contracts/queue.contract.js';

const event = (taskId: string, attempt = 1, agentId = 'a'): TaskEvent => ({
  v: WIRE_VERSION,
  kind: 'alive',
  taskId,
  jobId: 1,
  agentId,
  attempt,
  worker: 'w',
});

t.test('events are handed over in order, side by side; one that fails comes again', async (t) => {
  const seen: number[] = [];
  let inside = 0;
  let peak = 0;
  let failures = 2;
  const delivery = createEventDelivery({
    log: silentLog,
    pauseMs: 1,
    handler: async ({ attempt }) => {
      inside += 1;
      peak = Math.max(peak, inside);
      await new Promise(setImmediate);
      inside -= 1;
      if (attempt === 2 && failures-- > 0) throw new Error('not now');
      seen.push(attempt);
    },
  });
  await Promise.all([1, 2, 3].map((attempt) => delivery.deliver(event('one', attempt))));
  t.same(seen, [1, 3, 2]);
  t.equal(peak, 3);
});

t.test('no more handlers run than allowed, and a failing task holds up no other', async (t) => {
  let inside = 0;
  let peak = 0;
  const delivery = createEventDelivery({
    log: silentLog,
    inFlight: 3,
    handler: async ({ taskId }) => {
      if (taskId === 'bad') throw new Error('never');
      inside += 1;
      peak = Math.max(peak, inside);
      await new Promise(setImmediate);
      inside -= 1;
    },
  });
  const bad = t.rejects(delivery.deliver(event('bad')), 'rejected when delivery ends');
  await Promise.all(Array.from({ length: 20 }, (_, n) => delivery.deliver(event(`task-${n}`))));
  t.equal(peak, 3);
  await delivery.end();
  await bad;
});

t.test('events that wait for their turn leave room for those of others', async (t) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const delivery = createEventDelivery({
    log: silentLog,
    handler: ({ taskId }) => (taskId === 'other' ? Promise.resolve() : held),
  });
  // More than the tasks that all agents together may have under way.
  const waiting = Array.from({ length: 300 }, (_, n) => delivery.deliver(event(`held-${n}`)));
  await delivery.deliver(event('other'));
  t.pass('taken while all of them wait');
  release();
  await Promise.all(waiting);
  await delivery.end();
});

t.test('agents take turns: one event does not wait for hundreds of another agent', async (t) => {
  const seen: string[] = [];
  const delivery = createEventDelivery({
    log: silentLog,
    inFlight: 4,
    handler: async ({ agentId }) => {
      seen.push(agentId);
      await new Promise(setImmediate);
    },
  });
  const busy = Array.from({ length: 400 }, (_, n) => delivery.deliver(event(`task-${n}`, 1, 'busy')));
  await Promise.all([...busy, delivery.deliver(event('page', 1, 'quiet'))]);
  t.equal(seen.length, 401);
  t.ok(seen.indexOf('quiet') < 8, `${seen.indexOf('quiet')} came first`);
});

t.test('ending waits for the handlers that run, and rejects what waits at once', async (t) => {
  let release: () => void = () => undefined;
  let running = 0;
  const delivery = createEventDelivery({
    log: silentLog,
    inFlight: 1,
    handler: () => {
      running += 1;
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  const first = delivery.deliver(event('first'));
  const behind = delivery.deliver(event('first', 2));
  const second = delivery.deliver(event('second'));
  await eventually('the first runs', () => running === 1);
  let over = false;
  const end = delivery.end().then(() => {
    over = true;
  });
  await t.rejects(behind);
  await t.rejects(second);
  t.equal(over, false);
  release();
  await first;
  await end;
  await delivery.end();
  t.equal(running, 1);
  await t.rejects(delivery.deliver(event('late')));
});
