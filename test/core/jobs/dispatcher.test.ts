import { setImmediate as nextRound } from 'node:timers/promises';
import { createDispatcher } from '../../../core/jobs/dispatcher.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Queue } from '../../../core/ports/queue.port.js';
import type { TaskSweeps } from '../../../core/ports/store/sweeps.js';
import type { TaskMessage } from '../../../core/tasks/wire.js';
import { crawlMessage } from '../../support/crawl-message.js';
import t from '../../support/t.js';

/** A dispatcher over a queue that rejects some tasks; `notes` are the batches of tasks recorded as published. */
function watched() {
  const notes: string[][] = [];
  const dispatcher = createDispatcher({
    queue: {
      publish: async (messages: readonly TaskMessage[]) => messages.map(({ taskId }) => taskId !== 'refused'),
    } as unknown as Queue,
    tasks: {
      async markPublished(attempts) {
        if (attempts.length > 0) notes.push(attempts.map(({ taskId }) => taskId));
      },
    } as TaskSweeps,
    installation: 'here',
    log: silentLog,
  });
  return { dispatcher, notes };
}

t.test('published tasks are recorded in batches, at the latest when the dispatcher closes', async (t) => {
  const { dispatcher, notes } = watched();
  dispatcher.dispatch([crawlMessage('a'), crawlMessage('refused')]);
  dispatcher.dispatch([crawlMessage('b')]);
  await dispatcher.close();
  t.same(notes, [['a', 'b']]);
});

t.test('a sweep starts after all tasks are recorded, and records what it publishes', async (t) => {
  const { dispatcher, notes } = watched();
  dispatcher.dispatch([crawlMessage('a')]);
  const confirmed = await dispatcher.again(async () => {
    t.same(notes, [['a']]);
    return [crawlMessage('lost'), crawlMessage('refused')];
  });
  t.equal(confirmed, 1);
  t.same(notes, [['a'], ['lost']]);
  await dispatcher.close();
});

t.test('a sweep does not start while attempts are being published', async (t) => {
  const order: string[] = [];
  let taken = (_answers: boolean[]) => {};
  const dispatcher = createDispatcher({
    queue: {
      publish: (messages: readonly TaskMessage[]) =>
        new Promise((resolve) => {
          order.push(`sent ${messages.map(({ taskId }) => taskId)}`);
          taken = resolve;
        }),
    } as unknown as Queue,
    tasks: { markPublished: async () => {} } as unknown as TaskSweeps,
    installation: 'here',
    log: silentLog,
  });
  dispatcher.dispatch([crawlMessage('a')]);
  const sweep = dispatcher.again(async () => {
    order.push('looked');
    return [];
  });
  await nextRound();
  t.same(order, ['sent a']);
  taken([true]);
  await sweep;
  t.same(order, ['sent a', 'looked']);
  await dispatcher.close();
});

t.test('tasks admitted after the end stay in the outbox for the next process', async (t) => {
  const { dispatcher, notes } = watched();
  await dispatcher.close();
  dispatcher.dispatch([crawlMessage('late')]);
  t.equal(await dispatcher.again(async () => [crawlMessage('lost')]), 0);
  await nextRound();
  await dispatcher.close();
  t.same(notes, []);
});

t.test('an outage of the queue is one line in the log, and one for the rest of the minute', async (t) => {
  const lines: object[] = [];
  const warn = (fields: object, message: string) => lines.push({ ...fields, message });
  const dispatcher = createDispatcher({
    queue: {
      publish: async (messages: readonly TaskMessage[]) => messages.map(() => false),
    } as unknown as Queue,
    tasks: { markPublished: async () => {} } as unknown as TaskSweeps,
    installation: 'here',
    log: { ...silentLog, warn },
  });
  for (let n = 0; n < 50; n += 1) {
    dispatcher.dispatch([crawlMessage(`a${n}`), crawlMessage(`b${n}`)]);
    await nextRound();
  }
  await dispatcher.close();
  const message = 'the queue did not accept all tasks; publishing the others again';
  t.same(lines, [
    { refused: 2, message },
    { refused: 98, message },
  ]);
});
