import t from 'tap';
import { createEventInbox } from '../../../adapters/local-queue/event-inbox.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';
import { eventually } from '../../contracts/queue.contract.js';

const event = (taskId: string, attempt = 1): TaskEvent => ({
  v: WIRE_VERSION,
  kind: 'alive',
  taskId,
  jobId: 1,
  agentId: 'a',
  attempt,
  worker: 'w',
});

t.test('events that nobody has handled wait for the next handler', async (t) => {
  const inbox = createEventInbox(silentLog);
  await inbox.accept(event('before anyone listens'));
  let release: () => void = () => undefined;
  const first: string[] = [];
  const unsubscribe = inbox.subscribe(({ taskId }) => {
    first.push(taskId);
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  await inbox.accept(event('before anyone listens', 2));
  const unsubscribed = unsubscribe();
  release();
  await unsubscribed;
  await inbox.accept(event('between'));
  const second: string[] = [];
  inbox.subscribe(async ({ taskId, attempt }) => void second.push(`${taskId} ${attempt}`));
  await inbox.drained();
  t.same(first, ['before anyone listens']);
  t.same(second, ['before anyone listens 2', 'between 1']);
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
