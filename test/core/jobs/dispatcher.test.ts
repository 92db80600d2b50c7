import t from 'tap';
import { createDispatcher } from '../../../core/jobs/dispatcher.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Queue } from '../../../core/ports/queue.port.js';
import type { TaskSweeps } from '../../../core/ports/store/sweeps.js';
import { type TaskMessage, WIRE_VERSION } from '../../../core/tasks/wire.js';

const attemptOf = (taskId: string): TaskMessage => ({
  v: WIRE_VERSION,
  taskId,
  jobId: 1,
  agentId: 'agent',
  workspaceId: 'workspace',
  attempt: 1,
  type: 'crawl_page',
  payload: { url: 'https://a.example/' },
  requestId: null,
});

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
  dispatcher.dispatch([attemptOf('a'), attemptOf('refused')]);
  dispatcher.dispatch([attemptOf('b')]);
  await dispatcher.close();
  t.same(notes, [['a', 'b']]);
});

t.test('a sweep looks when all is noted, and what it publishes is noted at once', async (t) => {
  const { dispatcher, notes } = watched();
  dispatcher.dispatch([attemptOf('a')]);
  const confirmed = await dispatcher.again(async () => {
    t.same(notes, [['a']]);
    return [attemptOf('lost'), attemptOf('refused')];
  });
  t.equal(confirmed, 1);
  t.same(notes, [['a'], ['lost']]);
  await dispatcher.close();
});
