import { once } from 'node:events';
import { silentLog } from '../../core/ports/log.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import type { Storage } from '../../core/ports/storage.port.js';
import { byTaskType } from '../../core/tasks/task-types.js';
import type { Outcome, TaskEvent, TaskMessage, TaskProgress } from '../../core/tasks/wire.js';
import { trailFields } from '../../core/tracing/trail.js';
import { startConsumer } from '../../workers/consume.js';
import { crawlMessage } from '../support/crawl-message.js';
import t from '../support/t.js';

/** Returns the events of an attempt with this work. */
async function eventsOf(
  work: (said: EventTarget, report: (progress: TaskProgress) => void) => Promise<Outcome>,
  message: TaskMessage = crawlMessage('task'),
  heartbeatMs = 60_000,
): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  const said = new EventTarget();
  let attempt: Promise<void> = Promise.resolve();
  const queue = {
    async onTask(_: number, handler: (message: TaskMessage) => Promise<void>) {
      attempt = handler(message);
      return async () => {};
    },
    async emit(event: TaskEvent) {
      events.push(event);
      said.dispatchEvent(new Event(event.kind));
    },
  };
  await startConsumer({
    queue: queue as unknown as Queue,
    storage: {} as Storage,
    table: {
      ...byTaskType(() => () => Promise.reject(new Error('not asked for'))),
      [message.type]: (_: TaskMessage, __: AbortSignal, report: (progress: TaskProgress) => void) =>
        work(said, report),
    },
    inHand: 1,
    taskTimeoutMs: 60_000,
    heartbeatMs,
    workerName: 'test',
    log: silentLog,
  });
  await attempt;
  return events;
}

const saidOf = async (work: Parameters<typeof eventsOf>[0]): Promise<TaskEvent['kind'][]> =>
  (await eventsOf(work)).map(({ kind }) => kind);

const unchanged: Outcome = { kind: 'unchanged', metadata: {} };

t.test('a short attempt reports only its end', async (t) => {
  t.same(await saidOf(async () => unchanged), ['succeeded']);
  t.same(await saidOf(() => Promise.reject(new Error('broken'))), ['failed']);
});

t.test('a longer attempt reports its start, then its end', async (t) => {
  const kinds = await saidOf(async (said) => {
    await once(said, 'started');
    return unchanged;
  });
  t.same(kinds, ['started', 'succeeded']);
});

t.test('a heartbeat reports how many parts are done', async (t) => {
  const events = await eventsOf(
    async (said, report) => {
      report({ done: 2, of: 3 });
      await once(said, 'alive');
      return unchanged;
    },
    crawlMessage('task'),
    5,
  );
  t.match(
    events.find(({ kind }) => kind === 'alive'),
    { progress: { done: 2, of: 3 } },
  );
});

t.test('a delivery of an API of the version before is attempted; log lines name its webhook', async (t) => {
  const ids = { taskId: 'delivery', jobId: 0, agentId: 'webhook', attempt: 3, installation: 'ours' };
  const outcome = { kind: 'answered' as const, status: 204, body: '' };
  let logged = {};
  const events = await eventsOf(
    async () => {
      logged = trailFields();
      return outcome;
    },
    {
      v: 1,
      ...ids,
      workspaceId: 'workspace',
      type: 'deliver_webhook',
      payload: { url: 'https://hooks.acme.com/secret', headers: {}, body: '{}' },
      requestId: null,
    },
  );
  const target = 'https://hooks.acme.com';
  t.same(events, [{ v: 1, ...ids, requestId: null, target, worker: 'test', kind: 'succeeded', outcome }]);
  t.same(logged, {
    requestId: null,
    webhookId: 'webhook',
    deliveryId: 'delivery',
    attempt: 3,
    target,
    type: 'deliver_webhook',
  });
});
