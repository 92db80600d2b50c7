import type { Test } from 'tap';
import { eventually, fileTask, pageTask } from '../../contracts/queue.contract.js';
import { openFaultyProxy } from '../../support/faulty-proxy.js';
import { amqpUrl, rabbitmqMissing } from '../../support/rabbitmq.js';
import t from '../../support/t.js';
import { aliveOf, listenTo, makeInstallation } from './fixtures/installation.js';

const skip = await rabbitmqMissing();

/** A proxy to the broker that can fail. */
async function proxyToBroker(t: Test) {
  const { hostname, port } = new URL(amqpUrl);
  const proxy = await openFaultyProxy({ host: hostname, port: Number(port || 5672) });
  t.teardown(proxy.close);
  return {
    ...proxy,
    url: proxy.through(amqpUrl),
    /** Closes all connections and rejects new ones. */
    break() {
      proxy.refuse();
      proxy.cut();
    },
  };
}

t.test('after a broker outage, publishing, tasks and events continue', { skip }, async (t) => {
  const proxy = await proxyToBroker(t);
  const installation = makeInstallation(t);
  const api = (await installation.start('api', { url: proxy.url })).port;
  const worker = (await installation.start('worker', { url: proxy.url })).port;
  const { arrives } = await listenTo(api);
  await worker.onTask(2, async (task) => worker.emit(aliveOf(task)));

  const before = pageTask('before');
  t.same(await api.publish([before]), [true]);
  await arrives(before, 'alive');

  proxy.break();
  const health = await eventually('unhealthy', async () => {
    const found = await api.health();
    return found.ok ? null : found;
  });
  t.match(health.reason, /no connection to RabbitMQ: ./);
  t.notMatch(health.reason, /guest/);
  t.same(await api.publish([pageTask('lost'), pageTask('lost too')]), [false, false]);
  t.same(await api.depth(), { waiting: null, consumers: null });
  const absent = fileTask('told while away');
  const told = worker.emit(aliveOf(absent));

  proxy.restore();
  await eventually('healthy again', async () => (await api.health()).ok && (await worker.health()).ok);
  for (const task of [pageTask('after'), fileTask('after')]) {
    await eventually('published again', async () => (await api.publish([task]))[0]);
    await arrives(task, 'alive');
  }
  await told;
  await arrives(absent, 'alive');
});

/** A method of the class `connection`, as a frame of AMQP 0-9-1. */
function connectionMethod(method: number, reason: string | null): Buffer {
  const text =
    reason === null ? Buffer.alloc(0) : Buffer.from(`${String.fromCharCode(reason.length)}${reason}`);
  const frame = Buffer.alloc(12 + text.length);
  frame.writeUInt8(1, 0);
  frame.writeUInt32BE(4 + text.length, 3);
  frame.writeUInt16BE(10, 7);
  frame.writeUInt16BE(method, 9);
  text.copy(frame, 11);
  frame.writeUInt8(0xce, frame.length - 1);
  return frame;
}

t.test(
  'while the broker has an alarm, nothing is sent, and nothing is sent twice after it',
  { skip },
  async (t) => {
    const proxy = await proxyToBroker(t);
    const installation = makeInstallation(t);
    const api = (await installation.start('api', { url: proxy.url })).port;
    proxy.say(connectionMethod(60, 'low on memory'));
    await eventually('it hears of the alarm', async () => !(await api.health()).ok);
    t.match(await api.health(), { reason: 'RabbitMQ accepts no messages: low on memory' });
    t.same(await api.publish([pageTask('once'), pageTask('more')]), [false, false], 'said at once');
    proxy.say(connectionMethod(61, null));
    await eventually('it hears of the end', async () => (await api.health()).ok);
    t.same(await api.publish([pageTask('last')]), [true]);
    t.match(await api.depth(), { waiting: 1 }, 'what was refused is nowhere');
  },
);

t.test(
  'a task that runs during an outage is delivered again after its handler has ended',
  { skip },
  async (t) => {
    const proxy = await proxyToBroker(t);
    const installation = makeInstallation(t);
    const api = (await installation.start('api')).port;
    const worker = await installation.start('worker', { url: proxy.url });
    let release: () => void = () => undefined;
    let running = 0;
    let peak = 0;
    let begun = 0;
    await worker.port.onTask(1, async () => {
      begun += 1;
      running += 1;
      peak = Math.max(peak, running);
      if (begun === 1) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      running -= 1;
    });
    await api.publish([pageTask('once more')]);
    await eventually('it runs', () => begun === 1);
    proxy.break();
    await eventually('away', async () => !(await worker.port.health()).ok);
    proxy.restore();
    await eventually('back', async () => (await worker.port.health()).ok);
    release();
    await eventually('it runs again', () => begun === 2);
    t.equal(peak, 1, 'never more than the slots, also across connections');
  },
);

/** A publisher connected through a faulty proxy. */
async function publisherThroughProxy(t: Test, confirmTimeoutMs: number) {
  const { connect } = await import('amqplib');
  const { createPublisher } = await import('../../../adapters/rabbitmq/publisher.js');
  const { encodeTask } = await import('../../../adapters/rabbitmq/message.js');
  const { silentLog } = await import('../../../core/ports/log.port.js');
  const proxy = await proxyToBroker(t);
  const connection = await connect(proxy.url);
  connection.on('error', () => undefined);
  const publisher = createPublisher({ log: silentLog, onBroken: () => undefined, confirmTimeoutMs });
  await publisher.attach(connection);
  const send = (queue: string, url: string) => publisher.send(queue, encodeTask(pageTask(url)));
  return { proxy, send };
}

t.test('an unconfirmed message counts as not published', { skip }, async (t) => {
  const { proxy, send } = await publisherThroughProxy(t, 50);
  proxy.freeze();
  t.equal(await send('no.such.queue', 'x'), false);
});

t.test(
  'the service starts during a broker outage, and connects when the broker is back',
  { skip },
  async (t) => {
    const proxy = await proxyToBroker(t);
    proxy.break();
    const installation = makeInstallation(t);
    const { port } = await installation.start('api', { url: proxy.url });
    const { arrives } = await listenTo(port);
    t.match(await port.health(), { ok: false });
    t.same(await port.publish([pageTask('early')]), [false]);
    proxy.restore();
    await eventually('healthy', async () => (await port.health()).ok);
    const worker = (await installation.start('worker')).port;
    await worker.onTask(1, async (task) => worker.emit(aliveOf(task)));
    const task = pageTask('late');
    t.same(await port.publish([task]), [true]);
    await arrives(task, 'alive');
  },
);
