import t from 'tap';
import { createDispatcher } from '../../../core/jobs/dispatcher.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Queue } from '../../../core/ports/queue.port.js';
import type { TaskSweeps } from '../../../core/ports/store/sweeps.js';
import type { TaskMessage } from '../../../core/tasks/wire.js';
import { crawlMessage } from '../../support/crawl-message.js';

/** A dispatcher over a queue that refuses what is named so; `notes` are the tasks that were noted as published together. */
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

t.test('what the queue has taken is noted together, at the latest when the dispatcher closes', async (t) => {
  const { dispatcher, notes } = watched();
  dispatcher.dispatch([crawlMessage('a'), crawlMessage('refused')]);
  dispatcher.dispatch([crawlMessage('b')]);
  await dispatcher.close();
  t.same(notes, [['a', 'b']]);
});

t.test('a sweep looks when all is noted, and what it publishes is noted at once', async (t) => {
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
