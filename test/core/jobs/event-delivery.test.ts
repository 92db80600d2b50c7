import { createEventDelivery } from '../../../core/jobs/event-delivery.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';
import t from '../../support/t.js';

const event = (taskId: string, attempt = 1, agentId = 'a'): TaskEvent => ({
  v: WIRE_VERSION,
  kind: 'alive',
  taskId,
  jobId: 1,
  agentId,
  attempt,
  worker: 'w',
});

t.test('events are delivered in order and concurrently; a failed one is delivered again', async (t) => {
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

t.test('an event that fails for ever holds up no other, and is rejected when delivery ends', async (t) => {
  const delivery = createEventDelivery({
    log: silentLog,
    handler: async ({ taskId }) => {
      if (taskId === 'bad') throw new Error('never');
    },
  });
  const bad = t.rejects(delivery.deliver(event('bad')));
  await Promise.all(Array.from({ length: 20 }, (_, n) => delivery.deliver(event(`task-${n}`))));
  await delivery.end();
  await bad;
});

t.test('events whose handlers take long do not delay the events of other agents', async (t) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const delivery = createEventDelivery({
    log: silentLog,
    handler: ({ taskId }) => (taskId === 'other' ? Promise.resolve() : held),
  });
  // More than all agents together may have in flight.
  const waiting = Array.from({ length: 300 }, (_, n) => delivery.deliver(event(`held-${n}`)));
  await delivery.deliver(event('other'));
  t.pass('taken while all of them wait');
  release();
  await Promise.all(waiting);
  await delivery.end();
});

t.test('ending waits for the handlers that run, and rejects new events', async (t) => {
  let release: () => void = () => undefined;
  const delivery = createEventDelivery({
    log: silentLog,
    handler: () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  });
  const first = delivery.deliver(event('first'));
  let over = false;
  const end = delivery.end().then(() => {
    over = true;
  });
  await new Promise(setImmediate);
  t.equal(over, false);
  release();
  await first;
  await end;
  await delivery.end();
  await t.rejects(delivery.deliver(event('late')));
});
