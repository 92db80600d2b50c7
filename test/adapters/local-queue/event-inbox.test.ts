import { createEventInbox } from '../../../adapters/local-queue/event-inbox.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';
import t from '../../support/t.js';

const event = (taskId: string): TaskEvent => ({
  v: WIRE_VERSION,
  kind: 'alive',
  taskId,
  jobId: 1,
  agentId: 'a',
  attempt: 1,
  worker: 'w',
});

t.test('events wait for a handler, and for the next one if it was unsubscribed', async (t) => {
  const inbox = createEventInbox(silentLog);
  await inbox.accept(event('early'));
  const first: string[] = [];
  const unsubscribe = inbox.subscribe(async ({ taskId }) => {
    if (taskId === 'failing') throw new Error('not now');
    first.push(taskId);
  });
  await inbox.drained();
  await inbox.accept(event('failing'));
  await unsubscribe();
  await inbox.accept(event('between'));
  await inbox.drained();
  const second: string[] = [];
  inbox.subscribe(async ({ taskId }) => void second.push(taskId));
  await inbox.drained();
  t.same(first, ['early']);
  t.same(second.sort(), ['between', 'failing']);
});

t.test('a worker waits for its receipt only while a thousand events are not handled', async (t) => {
  const inbox = createEventInbox(silentLog);
  for (let n = 0; n < 1000; n += 1) await inbox.accept(event(`task-${n}`));
  let accepted = false;
  const waiting = inbox.accept(event('one too many')).then(() => {
    accepted = true;
  });
  await new Promise(setImmediate);
  t.equal(accepted, false);
  let handled = 0;
  inbox.subscribe(async () => {
    handled += 1;
  });
  await waiting;
  await inbox.drained();
  t.equal(handled, 1001);
  await inbox.end();
});
