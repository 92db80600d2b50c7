import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import test from 'node:test';
import { eventually, fileTask, pageTask, queueContext } from 'cadre/contracts/queue';
import plugin from '../index.js';
import { freshOptions, launchWorker, redisMissing, removeKeys, withRedis } from './redis.js';

/**
 * @import { TestContext } from 'node:test'
 * @import { TaskEvent, TaskMessage } from 'cadre/plugin'
 */

const skip = await redisMissing();
const maxDeliveries = 3;

/** Creates a queue for one test, removed at its end. */
const installation = (/** @type {TestContext} */ t, more = {}) => {
  const options = { ...freshOptions(), ...more };
  /** @type {(() => Promise<unknown>)[]} */
  const running = [];
  t.after(async () => {
    await Promise.all(running.map((stop) => stop()));
    await removeKeys(options.prefix);
  });
  return {
    options,
    start: async (/** @type {'api' | 'worker'} */ role) => {
      const { port, stop } = await plugin.start(queueContext(options, role, maxDeliveries));
      running.push(() => stop({ deadlineMs: 1000 }));
      return port;
    },
    /** Restarts one worker process when it ends, like a service manager. */
    serve: (/** @type {number} */ slots) => {
      let over = false;
      let child = launchWorker({ options, slots, maxDeliveries });
      const startAgain = () => {
        if (over) return;
        child = launchWorker({ options, slots, maxDeliveries }).once('exit', startAgain);
      };
      child.once('exit', startAgain);
      running.push(async () => {
        over = true;
        if (child.kill('SIGKILL')) await once(child, 'exit');
      });
    },
  };
};

/** A proxy that can swallow all data without closing the connection, like a network failure. */
const silentProxy = async (/** @type {TestContext} */ t, /** @type {string} */ url) => {
  const { hostname, port } = new URL(url);
  let silent = false;
  const server = createServer((near) => {
    if (silent) return void near.destroy();
    const far = connect(Number(port || 6379), hostname);
    near.on('data', (data) => silent || far.write(data)).on('error', () => far.destroy());
    far.on('data', (data) => silent || near.write(data)).on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `redis://127.0.0.1:${address.port}`,
    silence: (/** @type {boolean} */ on) => {
      silent = on;
    },
  };
};

/** A promise that blocks handlers, and the function that resolves it. */
const gate = () => {
  let open = () => {};
  /** @type {Promise<void>} */
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

/** Cuts the connections of one installation, like a network failure. */
const cutConnections = (/** @type {string} */ prefix) =>
  withRedis(async (client) => {
    const ours = (await client.clientList()).filter(({ name }) => name.startsWith(prefix));
    for (const { id } of ours) await client.sendCommand(['CLIENT', 'KILL', 'ID', String(id)]);
    return ours.length;
  });

/**
 * Assigns a task to one consumer in one step, so that no reading consumer gets it.
 * @param {string} consumer
 * @param {string} prefix
 * @param {TaskMessage} task
 */
const giveTo = (consumer, prefix, task) =>
  withRedis((client) =>
    client
      .multi()
      .xAdd(`${prefix}:tasks`, '*', { id: `${task.taskId}.1`, body: JSON.stringify(task) })
      .xReadGroup('workers', consumer, { key: `${prefix}:tasks`, id: '>' })
      .exec(),
  );

/** Starts two workers of one slot, one of which holds a task until the test ends, and records all started tasks. */
const busyAndIdle = async (/** @type {TestContext} */ t) => {
  const { options, start } = installation(t, { leaseMs: 1000 });
  const api = await start('api');
  const { opened, open } = gate();
  t.after(open);
  const [first, second] = [pageTask('x'), pageTask('x')];
  /** @type {string[]} */
  const runs = [];
  for (const worker of [await start('worker'), await start('worker')]) {
    await worker.onTask(1, async ({ taskId }) => {
      runs.push(taskId);
      if (taskId === first.taskId) await opened;
    });
  }
  await api.publish([first]);
  await eventually('it runs', () => runs.length === 1);
  return {
    options,
    runs,
    first: first.taskId,
    runAnother: async () => {
      await eventually('another is published', async () => (await api.publish([second]))[0]);
      await eventually('another runs', () => runs.includes(second.taskId));
      return second.taskId;
    },
  };
};

test('an attempt published again while it waits or runs is in the queue once', {
  skip,
}, async (t) => {
  const { start } = installation(t);
  const [api, worker] = [await start('api'), await start('worker')];
  const { opened, open } = gate();
  const task = pageTask('x');
  let runs = 0;
  assert.deepEqual(await api.publish([task, task]), [true, true]);
  assert.deepEqual(await api.depth(), { waiting: 1, consumers: 0 });
  await worker.onTask(2, async () => {
    runs += 1;
    await opened;
  });
  await eventually('it runs', () => runs === 1);
  assert.deepEqual(await api.publish([task]), [true]);
  assert.deepEqual(await api.depth(), { waiting: 0, consumers: 1 });
  open();
  await eventually('it is done', async () => (await api.publish([task])) && runs === 2);
});

test('entries over the capacity are refused, and accepted when there is room again', { skip }, async (t) => {
  const { start } = installation(t, { capacity: 2 });
  const [api, worker] = [await start('api'), await start('worker')];
  const [one, two, three] = [pageTask('x'), fileTask('x'), pageTask('x')];
  assert.deepEqual(await api.publish([one, two, three]), [true, true, false]);
  await worker.onTask(1, async () => undefined);
  await eventually('there is room', async () => (await api.publish([three]))[0]);
});

test('a worker busy for many leases keeps its task although another is idle', {
  skip,
}, async (t) => {
  const { runs, first, runAnother, options } = await busyAndIdle(t);
  const end = Date.now() + 3 * options.leaseMs;
  await eventually('three leases have gone by', () => Date.now() > end);
  const second = await runAnother();
  assert.deepEqual(runs, [first, second]);
});

test('after an outage of Redis, no consumer counts as dead before a lease has passed', {
  skip,
}, async (t) => {
  const { options, start } = installation(t, { leaseMs: 3000 });
  const [api, worker] = [await start('api'), await start('worker')];
  let ranAt = 0;
  await worker.onTask(1, async () => {
    ranAt = Date.now();
  });
  await eventually('a worker listens', async () => (await api.depth()).consumers === 1);
  const cutAt = Date.now();
  await cutConnections(options.prefix);
  await giveTo('one-that-connects-later', options.prefix, pageTask('x'));
  await eventually('it was dead after all', () => ranAt > 0);
  assert.ok(ranAt - cutAt >= options.leaseMs, `taken over after ${ranAt - cutAt} ms`);
});

test('tasks beside one that crashes its workers are not lost', { skip }, async (t) => {
  const { start, serve } = installation(t, { leaseMs: 1000 });
  const api = await start('api');
  /** @type {TaskEvent[]} */
  const events = [];
  await api.onEvent(async (event) => void events.push(event));
  const poison = pageTask('die');
  const bystanders = [pageTask('wait 300'), fileTask('wait 300'), fileTask('wait 300')];
  await api.publish([poison, ...bystanders]);
  serve(4);
  const ended = (/** @type {TaskMessage} */ task) =>
    events.find(({ taskId, kind }) => taskId === task.taskId && kind !== 'started')?.kind;
  for (const task of [poison, ...bystanders]) await eventually('an end', () => ended(task));
  assert.equal(ended(poison), 'dead');
  assert.deepEqual(bystanders.map(ended), ['succeeded', 'succeeded', 'succeeded']);
});

test('a prefix belongs to the first installation, until another one adopts it', { skip }, async (t) => {
  const { options } = installation(t);
  const start = async (/** @type {string} */ id, adopts = false) => {
    const context = queueContext(options, 'api', maxDeliveries);
    const claim = { installation: async () => id, adopts };
    const { stop } = await plugin.start({ ...context, claim });
    await stop({ deadlineMs: 1000 });
  };
  await start('a');
  await start('a');
  await assert.rejects(start('b'), /belong to another installation \(a\)/);
  await start('b', true);
  await assert.rejects(start('a'), /belong to another installation \(b\)/);
});

test('lost connections are restored, and running tasks run once', { skip }, async (t) => {
  const { options, start } = installation(t);
  const [api, worker] = [await start('api'), await start('worker')];
  const { opened, open } = gate();
  const [running, later] = [pageTask('x'), pageTask('x')];
  /** @type {string[]} */
  const runs = [];
  /** @type {string[]} */
  const heard = [];
  await api.onEvent(async ({ taskId }) => void heard.push(taskId));
  await worker.onTask(1, async (task) => {
    runs.push(task.taskId);
    await opened;
    await worker.emit({ ...task, kind: 'alive', worker: 'w' });
  });
  await api.publish([running]);
  await eventually('it runs', () => runs.length === 1);
  assert.ok((await cutConnections(options.prefix)) >= 4);
  open();
  await eventually('the API publishes again', async () => (await api.publish([later]))[0]);
  await eventually('both are heard of', () => new Set(heard).size === 2);
  assert.deepEqual(runs, [running.taskId, later.taskId]);
  assert.deepEqual(await api.health(), { ok: true });
});

test('entries of a lost reply are run', { skip }, async (t) => {
  const { options, start } = installation(t);
  const [api, worker] = [await start('api'), await start('worker')];
  /** @type {string[]} */
  const runs = [];
  await worker.onTask(2, async ({ taskId }) => void runs.push(taskId));
  await eventually('a worker listens', async () => (await api.depth()).consumers === 1);
  const task = pageTask('x');
  const stream = `${options.prefix}:tasks`;
  const [consumer] = await withRedis((client) => client.xInfoConsumers(stream, 'workers'));
  await giveTo(String(consumer?.name), options.prefix, task);
  assert.equal((await withRedis((client) => client.xPending(stream, 'workers'))).pending, 1);
  await cutConnections(options.prefix);
  await eventually('it runs', () => runs.length > 0);
  await eventually('it is done', async () => (await withRedis((client) => client.xLen(stream))) === 0);
  assert.deepEqual(runs, [task.taskId]);
});

test('a queue whose keys were deleted works again', { skip }, async (t) => {
  const { options, start } = installation(t);
  const [api, worker] = [await start('api'), await start('worker')];
  /** @type {string[]} */
  const heard = [];
  const { opened, open } = gate();
  const [lost, task] = [pageTask('x'), pageTask('x')];
  await api.onEvent(async ({ taskId }) => void heard.push(taskId));
  await worker.onTask(1, async (message) => {
    await worker.emit({ ...message, kind: 'alive', worker: 'w' });
    if (message.taskId === task.taskId) return;
    await opened;
    throw new Error('goes back to where it no longer is');
  });
  await api.publish([lost]);
  await eventually('one runs', () => heard.length === 1);
  await removeKeys(options.prefix);
  open();
  assert.deepEqual(await api.publish([task]), [true]);
  await eventually('the next one runs', () => heard.includes(task.taskId));
});

test('finished tasks leave no keys', { skip }, async (t) => {
  const { options, start } = installation(t);
  const [api, worker] = [await start('api'), await start('worker')];
  let heard = 0;
  const deaf = await api.onEvent(async () => {
    heard += 1;
  });
  const idle = await worker.onTask(5, (task) => worker.emit({ ...task, kind: 'alive', worker: 'w' }));
  await api.publish(Array.from({ length: 50 }, () => pageTask('x')));
  await eventually('all are heard of', () => heard === 50);
  await Promise.all([deaf(), idle()]);
  await withRedis(async (client) => {
    for (const stream of ['tasks', 'events']) {
      assert.equal(await client.xLen(`${options.prefix}:${stream}`), 0);
      const [group] = await client.xInfoGroups(`${options.prefix}:${stream}`);
      assert.deepEqual([group?.pending, group?.consumers], [0, 0]);
    }
    const keys = (await client.keys(`${options.prefix}:*`)).sort();
    assert.deepEqual(keys, [`${options.prefix}:events`, `${options.prefix}:tasks`]);
  });
});

test('a Redis that refuses the connection stops the start; no message contains the password', {
  skip,
}, async (t) => {
  const { options } = installation(t);
  const { host } = new URL(options.url);
  for (const [wrong, message] of /** @type {const} */ ([
    [`redis://nobody:hunter2-hunter2@${host}`, /Redis refuses.*WRONGPASS/],
    [`redis://default:hunter2-hunter2@${host}/1000000`, /Redis refuses.*DB index/],
    [`redis://default:hunter2-hunter2@${host}/no-number`, /Redis refuses.*Invalid pathname/],
    ['redis://default:hunter2-hunter2@[no-host', /not a valid URL/],
  ])) {
    const context = queueContext({ ...options, url: wrong }, 'api', maxDeliveries);
    const error = await plugin.start(context).then(
      () => assert.fail(`it started: ${message}`),
      (/** @type {unknown} */ error) => error,
    );
    assert.ok(error instanceof Error);
    assert.match(`${error.message} ${error.cause}`, message);
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause}`, /hunter2/);
  }
});

test('a Redis that stops responding is noticed, and used again later', { skip }, async (t) => {
  const { options, start } = installation(t);
  const proxy = await silentProxy(t, options.url);
  options.url = proxy.url;
  const [api, worker] = [await start('api'), await start('worker')];
  /** @type {string[]} */
  const runs = [];
  await worker.onTask(1, async ({ taskId }) => void runs.push(taskId));
  assert.deepEqual(await api.health(), { ok: true });
  proxy.silence(true);
  assert.match(JSON.stringify(await api.health()), /has not answered/);
  assert.deepEqual(await api.publish([pageTask('x')]), [false]);
  proxy.silence(false);
  const task = pageTask('x');
  await eventually('it is published', async () => (await api.publish([task]))[0]);
  await eventually('it runs', () => runs.includes(task.taskId));
});

test('a Redis that is down does not stop the start; health reports it, and nothing is accepted', async () => {
  const options = { ...freshOptions(), url: 'redis://127.0.0.1:1' };
  const { port, stop } = await plugin.start(queueContext(options, 'api', maxDeliveries));
  await port.onEvent(async () => undefined);
  assert.match(JSON.stringify(await port.health()), /no connection to Redis: .*ECONNREFUSED/);
  assert.deepEqual(await port.publish([pageTask('x')]), [false]);
  assert.deepEqual(await port.depth(), { waiting: null, consumers: null });
  await stop({ deadlineMs: 2000 });
});
