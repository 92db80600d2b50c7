import t from 'tap';
import { createEventInbox } from '../../../adapters/local-queue/event-inbox.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';
import { eventually } from '../../contracts/queue.contract.js';

/** Handlers that a delivery runs side by side. */
const AT_ONCE = 512;

const event = (taskId: string): TaskEvent => ({
  v: WIRE_VERSION,
  kind: 'alive',
  taskId,
  jobId: 1,
  agentId: 'a',
  attempt: 1,
  worker: 'w',
});

t.test('events that come while there is no handler wait for one', async (t) => {
  const inbox = createEventInbox(silentLog);
  await inbox.accept(event('before anyone listens'));
  const releases: (() => void)[] = [];
  const first: string[] = [];
  const unsubscribe = inbox.subscribe(({ taskId }) => {
    first.push(taskId);
    return new Promise((resolve) => releases.push(resolve));
  });
  // More than are handled at once.
  for (let n = 1; n < AT_ONCE; n += 1) await inbox.accept(event(`task-${n}`));
  await inbox.accept(event('no place'));
  const unsubscribed = unsubscribe();
  for (const release of releases) release();
  await unsubscribed;
  await inbox.accept(event('between'));
  const second: string[] = [];
  inbox.subscribe(async ({ taskId }) => void second.push(taskId));
  await inbox.drained();
  t.equal(first.length, AT_ONCE);
  t.equal(first[0], 'before anyone listens');
  t.same(second, ['no place', 'between']);
});

t.test('a worker waits for its receipt while a thousand events are not handled', async (t) => {
  const inbox = createEventInbox(silentLog);
  for (let n = 0; n < 1_000; n += 1) await inbox.accept(event(`task-${n}`));
  let taken = false;
  const one = inbox.accept(event('one too many')).then(() => {
    taken = true;
  });
  await new Promise(setImmediate);
  t.equal(taken, false);
  inbox.subscribe(async () => undefined);
  await one;
  await eventually('all are handled', () => inbox.drained().then(() => true));
  await inbox.end();
});
