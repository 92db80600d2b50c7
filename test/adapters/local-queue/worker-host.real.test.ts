import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { watchHostProcess } from '../../../adapters/local-queue/host-process.js';
import { localQueue } from '../../../adapters/local-queue/index.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { PluginContext } from '../../../core/ports/plugin.port.js';
import type { TaskEvent, TaskMessage } from '../../../core/tasks/wire.js';
import { eventually, pageTask } from '../../contracts/queue.contract.js';
import t from '../../support/t.js';
import { workerScript } from '../../support/worker-script.js';

const apiProcess = new URL(`./fixtures/api-process${extname(import.meta.filename)}`, import.meta.url);

const apiContext = (capacity: number): PluginContext<{ capacity: number }> => ({
  options: { capacity },
  log: silentLog,
  role: 'api',
  dataDir: tmpdir(),
  maxUploadBytes: 1,
  maxDeliveries: 3,
  secret: new Uint8Array(),
  processName: 'test',
  now: () => Date.now(),
});

const startApi = async (
  t: Test,
  options: { capacity?: number; slots?: number; idleExitMs?: number } = {},
) => {
  const { capacity = 100, slots = 4, idleExitMs = 60_000 } = options;
  const { port, stop } = await localQueue.start(apiContext(capacity));
  const folder = await mkdtemp(join(tmpdir(), 'local-queue-'));
  const gate = join(folder, 'gate');
  const events: TaskEvent[] = [];
  const hosts: ChildProcess[] = [];
  let stopRequests = 0;
  await port.onEvent(async (event) => void events.push(event));
  t.teardown(async () => {
    await writeFile(gate, '');
    await stop({ deadlineMs: 2_000 });
    await rm(folder, { recursive: true });
  });
  const seen = (task: TaskMessage, kind: TaskEvent['kind']) =>
    events.filter((event) => event.taskId === task.taskId && event.kind === kind);
  return {
    port,
    stop,
    gate,
    hosts,
    seen,
    stopRequests: () => stopRequests,
    arrives: (task: TaskMessage, kind: TaskEvent['kind']) => eventually(kind, () => seen(task, kind)[0]),
    attach: () =>
      port.startWorkers?.({
        launch: () => {
          const spec = { slots, maxDeliveries: 3, plugin: 'local', options: { capacity } };
          const env = { ...process.env, WORKER_CHILD: JSON.stringify(spec) };
          const host = fork(workerScript, { serialization: 'advanced', env });
          hosts.push(host);
          return host;
        },
        idleExitMs,
        onStopAsked: () => {
          stopRequests += 1;
        },
      }),
  };
};

t.test('a task that kills the worker host affects only itself', async (t) => {
  const api = await startApi(t);
  const poison = pageTask('die');
  const bystanders = [1, 2, 3].map(() => pageTask('wait 300'));
  await api.port.publish([poison, ...bystanders]);
  api.attach();
  await api.arrives(poison, 'dead');
  for (const task of bystanders) await api.arrives(task, 'succeeded');
  t.equal(bystanders.flatMap((task) => api.seen(task, 'dead')).length, 0);
  t.equal(api.hosts.length, 4, 'three deaths, and one host for the rest');
});

t.test('a full queue rejects each message', async (t) => {
  const api = await startApi(t, { capacity: 2 });
  t.same(await api.port.publish([pageTask('succeed'), pageTask('succeed'), pageTask('succeed')]), [
    true,
    true,
    false,
  ]);
});

t.test('the host is started by the first task, stopped when idle, and started again', async (t) => {
  const api = await startApi(t, { idleExitMs: 20 });
  api.attach();
  t.equal(api.hosts.length, 0);
  for (const times of [1, 2]) {
    const task = pageTask('succeed');
    await api.port.publish([task]);
    await api.arrives(task, 'succeeded');
    const host = api.hosts[times - 1];
    await eventually('the idle host exits', () => host?.exitCode === 0);
    t.equal(api.hosts.length, times);
  }
  t.same(await api.port.health(), { ok: true }, 'an exit that was asked for is no failure');
});

t.test('a stop signal to the worker host is passed to the API and stops nothing by itself', async (t) => {
  const api = await startApi(t);
  api.attach();
  const task = pageTask(`hold ${api.gate}`);
  await api.port.publish([task]);
  await api.arrives(task, 'started');
  api.hosts[0]?.kill('SIGTERM');
  await eventually('the API hears of it', () => api.stopRequests() === 1);
  await writeFile(api.gate, '');
  await api.arrives(task, 'succeeded');
  t.equal(api.hosts[0]?.exitCode, null);
});

t.test('stopping completes running tasks, starts no more, and ends the host', async (t) => {
  const api = await startApi(t, { slots: 1 });
  api.attach();
  const [running, waiting] = [pageTask(`hold ${api.gate}`), pageTask('succeed')];
  await api.port.publish([running, waiting]);
  await api.arrives(running, 'started');
  const stopped = api.stop({ deadlineMs: 10_000 });
  t.same(await api.port.publish([pageTask('succeed')]), [false]);
  await writeFile(api.gate, '');
  await stopped;
  t.equal(api.seen(running, 'succeeded').length, 1);
  t.equal(api.seen(waiting, 'started').length, 0);
  t.equal(api.hosts[0]?.exitCode, 0);
});

t.test('stopping kills a host whose task does not end in time', async (t) => {
  const api = await startApi(t);
  api.attach();
  const task = pageTask(`hold ${api.gate}`);
  await api.port.publish([task]);
  await api.arrives(task, 'started');
  await api.stop({ deadlineMs: 100 });
  t.equal(api.hosts[0]?.signalCode, 'SIGKILL');
});

t.test('a worker host does not outlive its API', async (t) => {
  const api = fork(apiProcess);
  const [workerPid] = await once(api, 'message');
  api.kill('SIGKILL');
  await eventually('the worker host is gone', () => {
    try {
      process.kill(Number(workerPid), 0);
      return false;
    } catch {
      return true;
    }
  });
  t.pass('gone');
});

t.test('a host that cannot start makes the queue unhealthy, and its tasks keep waiting', async (t) => {
  const api = await startApi(t);
  let starts = 0;
  t.match(await api.port.health(), { ok: false, reason: /cannot start a worker host/ });
  api.port.startWorkers?.({
    launch: () => {
      starts += 1;
      if (starts === 2) throw new Error('out of processes');
      return spawn(process.execPath, ['--eval', 'process.exit(1)'], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
    },
    idleExitMs: 1_000,
    onStopAsked: () => {},
  });
  t.same(await api.port.health(), { ok: true });
  await api.port.publish([pageTask('succeed')]);
  const health = await eventually('unhealthy', async () => {
    const found = await api.port.health();
    return found.ok ? null : found;
  });
  t.match(health.reason, /cannot start/);
  t.equal((await api.port.depth()).waiting, 1);
});

t.test('a host that hangs while it has work is killed; an idle one is left alone', async (t) => {
  let busy = false;
  const host = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const gone = new Promise<string>((resolve) => {
    watchHostProcess(
      host,
      silentLog,
      {
        onReady() {},
        onPaused() {},
        onBegan() {},
        onDone() {},
        onHandedBack() {},
        onEvent: async () => undefined,
        onStopAsked() {},
        onGone: resolve,
        isBusy: () => {
          const was = busy;
          busy = true;
          return was;
        },
      },
      5,
    );
  });
  t.match(await gone, /SIGKILL/);
});

t.test('using the wrong end of the queue, or a second handler, is rejected with the reason', async (t) => {
  const api = await startApi(t);
  await t.rejects(
    api.port.onTask(1, async () => undefined),
    /worker side/,
  );
  await t.rejects(
    api.port.onEvent(async () => undefined),
    /handler already/,
  );
});

t.test('rejects a worker that no API started', async (t) => {
  const spec = { slots: 1, maxDeliveries: 3, plugin: 'local', options: { capacity: 1 } };
  const worker = spawn(process.execPath, [...process.execArgv, fileURLToPath(workerScript)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_CHANNEL_FD: undefined, WORKER_CHILD: JSON.stringify(spec) },
  });
  let said = '';
  worker.stderr?.on('data', (text) => {
    said += String(text);
  });
  const [code] = await once(worker, 'close');
  t.equal(code, 1);
  t.match(said, /for separate workers, use a queue such as rabbitmq/);
});
