import assert from 'node:assert/strict';
import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';
import { mustReject } from './must-reject.js';
import {
  eventually,
  fileTask,
  killWorkerOf,
  type MakeQueue,
  maxDeliveries,
  metadataOf,
  pageTask,
  type Subject,
  withSubject,
} from './queue.contract.subject.js';
import { bigText } from './queue.contract.worker.js';

export {
  eventually,
  fileTask,
  type MakeQueue,
  pageTask,
  type QueueUnderTest,
} from './queue.contract.subject.js';
export { queueContext, serveInstructions, type WorkerSpec } from './queue.contract.worker.js';

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

/**
 * Every promise of the queue port, as tests that any plugin must pass. Needs nothing but Node. A queue whose workers are
 * all its API's own passes `remoteWorkers: false`.
 */
export function describeQueueContract<Options>(
  declare: { test: DeclareTest },
  make: MakeQueue<Options>,
  { remoteWorkers = true } = {},
): void {
  const test = (name: string, body: (subject: Subject) => Promise<void>, listen = true): unknown =>
    declare.test(name, () => withSubject(make, body, listen));

  test('tasks of every type reach a worker, and its events come back', async ({ serve, publish, ...s }) => {
    serve(2);
    const tasks = [pageTask('succeed'), fileTask('succeed'), pageTask('succeed', 'agent-2')];
    await publish(...tasks);
    for (const task of tasks) {
      const event = await s.arrives(task, 'succeeded');
      assert.equal(event.jobId, task.jobId);
      assert.equal(event.agentId, task.agentId);
      assert.equal(event.attempt, task.attempt);
      assert.equal(metadataOf(event).requestId, task.requestId);
      assert.equal(s.of(task, 'started').length, 1);
    }
    assert.deepEqual(await s.api.publish([]), []);
    assert.deepEqual(await s.api.health(), { ok: true });
  });

  test('a completed task is not delivered again when its worker dies later', async ({
    serve,
    publish,
    ...s
  }) => {
    serve(1);
    const [first, second] = [pageTask('succeed'), pageTask(`hold ${s.gate}`)];
    await publish(first, second);
    // One slot: the second task starts when the first has been acknowledged.
    killWorkerOf(await s.arrives(second, 'started'));
    await s.arrives(second, 'started', 2);
    await s.openGate();
    await s.arrives(second, 'succeeded');
    assert.equal(s.of(first, 'started').length, 1);
  });

  test('a task type may use all slots, but each type has its own limit', async ({ serve, publish, ...s }) => {
    serve(3);
    const held = [1, 2, 3, 4, 5].map(() => pageTask(`hold ${s.gate}`));
    const others = [1, 2, 3, 4, 5].map(() => fileTask('succeed'));
    await publish(...held);
    await eventually('three tasks run', () => held.filter((task) => s.of(task, 'started')[0]).length === 3);
    await publish(...others);
    await s.openGate();
    for (const task of [...held, ...others]) {
      assert.ok(Number(metadataOf(await s.arrives(task, 'succeeded')).peak) <= 3);
    }
  });

  test('a rejected task is delivered again, and finally becomes a dead letter', async ({
    serve,
    publish,
    ...s
  }) => {
    serve(2);
    const [bad, good] = [pageTask('reject'), pageTask('succeed')];
    await publish(bad, good);
    const dead = await s.arrives(bad, 'dead');
    assert.ok(dead.kind === 'dead' && dead.reason.length > 0);
    assert.deepEqual([dead.jobId, dead.agentId, dead.attempt], [bad.jobId, bad.agentId, bad.attempt]);
    assert.equal(s.of(bad, 'started').length, maxDeliveries);
    await s.arrives(good, 'succeeded');
  });

  test('a task that kills its worker each time becomes a dead letter, and others proceed', async ({
    serve,
    publish,
    ...s
  }) => {
    serve(1);
    const [before, poison, after] = [pageTask('succeed'), pageTask('die'), pageTask('succeed')];
    await publish(before, poison, after);
    await s.arrives(poison, 'dead');
    await s.arrives(before, 'succeeded');
    await s.arrives(after, 'succeeded');
    assert.ok(s.of(poison, 'started').length <= maxDeliveries);
    assert.equal(s.of(after, 'dead').length, 0);
  });

  test('it tells its API whether its workers may be those of others', async ({ api }) => {
    assert.equal(api.capabilities.remoteWorkers, remoteWorkers);
  });

  test('the tasks of a killed worker run again in another process', async ({ serve, publish, ...s }) => {
    serve(2);
    const tasks = [pageTask(`hold ${s.gate}`), fileTask(`hold ${s.gate}`)];
    await publish(...tasks);
    const [first] = await Promise.all(tasks.map((task) => s.arrives(task, 'started')));
    assert.ok(first !== undefined);
    killWorkerOf(first);
    await s.openGate();
    for (const task of tasks) assert.notEqual((await s.arrives(task, 'succeeded')).worker, first.worker);
  });

  test(
    'a rejected event is delivered again, complete, and delays no other task',
    async ({ api, serve, publish, openGate, gate }) => {
      serve(2);
      const [troubled, smooth] = [pageTask('big'), pageTask(`hold ${gate}`)];
      const seen: TaskEvent[] = [];
      const ofTroubled = (wanted: TaskEvent['kind']) =>
        seen.filter(({ taskId, kind }) => taskId === troubled.taskId && kind === wanted);
      await api.onEvent(async (event) => {
        seen.push(event);
        // Separately, because events of one task may be out of order.
        if (event.taskId === troubled.taskId && ofTroubled(event.kind).length <= 2)
          throw new Error('not now');
      });
      await publish(troubled, smooth);
      await openGate();
      const ended = (task: TaskMessage) =>
        seen.find(({ taskId, kind }) => taskId === task.taskId && kind === 'succeeded');
      await eventually('the smooth one ends', () => ended(smooth));
      for (const kind of ['started', 'succeeded'] as const) {
        await eventually(`${kind} comes three times`, () => ofTroubled(kind).length === 3);
        assert.deepEqual(ofTroubled(kind)[2], ofTroubled(kind)[0]);
      }
      const end = ended(troubled);
      assert.ok(end?.kind === 'succeeded' && end.outcome.kind === 'extracted');
      assert.ok(end.outcome.extraction.text === bigText);
    },
    false,
  );

  test(
    'unsubscribing from events waits for handlers; later events wait for the next subscriber',
    async ({ api, serve, publish }) => {
      serve(1);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const seen: TaskEvent[] = [];
      let inside = 0;
      const unsubscribe = await api.onEvent(async (event) => {
        inside += 1;
        seen.push(event);
        await released;
        inside -= 1;
      });
      const task = pageTask('succeed');
      await publish(task);
      await eventually('a handler runs', () => inside > 0);
      const unsubscribed = unsubscribe().then(() => inside);
      release();
      assert.equal(await unsubscribed, 0);
      const taken = seen.length;

      const later: TaskEvent[] = [];
      const second = pageTask('succeed');
      await publish(second);
      await api.onEvent(async (event) => void later.push(event));
      await eventually('the second task ends', () =>
        later.some(({ taskId, kind }) => taskId === second.taskId && kind === 'succeeded'),
      );
      await eventually('the first task ends', () =>
        [...seen, ...later].some(({ taskId, kind }) => taskId === task.taskId && kind === 'succeeded'),
      );
      assert.equal(seen.length, taken);
      const again = later.filter((event) =>
        seen.some((done) => done.taskId === event.taskId && done.kind === event.kind),
      );
      assert.deepEqual(again, []);
    },
    false,
  );

  test('unsubscribing from tasks waits for handlers, and subscribing again works', async ({
    serve,
    publish,
    arrives,
  }) => {
    serve(2);
    const [first, after] = [pageTask('resubscribe'), pageTask('succeed')];
    await publish(first);
    assert.deepEqual(metadataOf(await arrives(first, 'succeeded')), { early: false, runningThen: 0 });
    await publish(after);
    await arrives(after, 'succeeded');
  });

  test('tasks wait while no worker is listening', async ({ api, serve, publish, arrives }) => {
    const tasks = [pageTask('succeed'), fileTask('succeed'), fileTask('succeed')];
    await publish(...tasks);
    await eventually('three tasks wait', async () => [3, null].includes((await api.depth()).waiting));
    assert.ok([0, null].includes((await api.depth()).consumers));
    serve(1);
    for (const task of tasks) await arrives(task, 'succeeded');
    await eventually('no task waits', async () => [0, null].includes((await api.depth()).waiting));
    await eventually('a worker is seen', async () => (await api.depth()).consumers !== 0);
  });

  test('invalid bytes cause no harm', async ({ sendGarbage, serve, publish, arrives, api }) => {
    await sendGarbage?.();
    serve(1);
    const task = pageTask('succeed');
    await publish(task);
    await arrives(task, 'succeeded');
    await eventually('the garbage is gone', async () => [0, null].includes((await api.depth()).waiting));
  });

  test('stopping twice is fine, and afterwards every call rejects', async ({ api, stopApi }) => {
    await Promise.all([stopApi(), stopApi()]);
    await stopApi();
    const task = pageTask('succeed');
    const calls = {
      publish: () => api.publish([task]),
      onEvent: () => api.onEvent(async () => undefined),
      onTask: () => api.onTask(1, async () => undefined),
      emit: () => api.emit({ ...task, worker: 'w', kind: 'alive' }),
      depth: () => api.depth(),
      health: () => api.health(),
    };
    for (const [name, call] of Object.entries(calls))
      await mustReject(`queue.${name}() after the stop`, call);
  });

  test(
    'stopping is bounded while a handler hangs',
    async ({ stopApi, api, serve, publish }) => {
      serve(1);
      let entered = false;
      await api.onEvent(() => {
        entered = true;
        return new Promise(() => undefined);
      });
      await publish(pageTask('succeed'));
      await eventually('a handler hangs', () => entered);
      await stopApi(300);
    },
    false,
  );
}
