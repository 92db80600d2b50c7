import t from 'tap';
import { createEventInbox } from '../../../adapters/local-queue/event-inbox.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';

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
  const early = inbox.accept(event('early'));
  const first: string[] = [];
  const unsubscribe = inbox.subscribe(async ({ taskId }) => {
    if (taskId === 'failing') throw new Error('not now');
    first.push(taskId);
  });
  await early;
  const failing = inbox.accept(event('failing'));
  await unsubscribe();
  const between = inbox.accept(event('between'));
  await inbox.drained();
  const second: string[] = [];
  inbox.subscribe(async ({ taskId }) => void second.push(taskId));
  await inbox.drained();
  await Promise.all([failing, between]);
  t.same(first, ['early']);
  t.same(second.sort(), ['between', 'failing']);
});

t.test('an event is accepted when it has been handled, and the end rejects what waits', async (t) => {
  const inbox = createEventInbox(silentLog);
  let accepted = false;
  const waiting = inbox.accept(event('waiting')).then(() => {
    accepted = true;
  });
  let handle = (): void => {};
  const unsubscribe = inbox.subscribe(
    () =>
      new Promise((resolve) => {
        handle = resolve;
      }),
  );
  await new Promise(setImmediate);
  t.equal(accepted, false);
  handle();
  await waiting;
  await unsubscribe();
  const rejected = t.rejects(inbox.accept(event('late')), { message: 'the local queue is stopped' });
  await inbox.end();
  await rejected;
});
