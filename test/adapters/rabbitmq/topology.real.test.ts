import { type Channel, connect } from 'amqplib';
import type { Test } from 'tap';
import { rabbitmq } from '../../../adapters/rabbitmq/index.js';
import { queueNames } from '../../../adapters/rabbitmq/topology.js';
import type { Log } from '../../../core/ports/log.port.js';
import { encodeDelivery } from '../../../core/tasks/delivery-envelope.js';
import { WIRE_VERSION } from '../../../core/tasks/wire.js';
import { eventually, fileTask, pageTask } from '../../contracts/queue.contract.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../../support/rabbitmq.js';
import t from '../../support/t.js';
import { aliveOf, contextOf, listenTo, makeInstallation } from './fixtures/installation.js';

const skip = await rabbitmqMissing();

const openChannel = async (t: Test): Promise<Channel> => {
  const connection = await connect(amqpUrl);
  t.teardown(() => connection.close());
  return connection.createChannel();
};

t.test('queues that are deleted under a running service are created again', { skip }, async (t) => {
  const installation = makeInstallation(t);
  const api = (await installation.start('api')).port;
  const worker = (await installation.start('worker')).port;
  const { arrives } = await listenTo(api);
  await worker.onTask(2, async (task) => worker.emit(aliveOf(task)));
  await deleteQueues(installation.prefix);
  for (const task of [pageTask('after'), fileTask('after')]) {
    await eventually('published', async () => (await api.publish([task]))[0]);
    t.ok(await arrives(task, 'alive'));
  }
});

t.test('a message without a queue is reported as not published', { skip }, async (t) => {
  const installation = makeInstallation(t);
  const { port } = await installation.start('api');
  await deleteQueues(installation.prefix);
  const [page, file] = await port.publish([pageTask('x'), fileTask('y')]);
  t.same([page, file], [false, false]);
});

t.test('a message is recognisable in RabbitMQ management', { skip }, async (t) => {
  const installation = makeInstallation(t);
  const { port } = await installation.start('api');
  const task = pageTask('x');
  const delivery = encodeDelivery({
    ...{ v: WIRE_VERSION, deliveryId: 'd', webhookId: 'w', attempt: 2, requestId: null },
    type: 'deliver_webhook',
    payload: { url: 'https://hooks.acme.com', headers: {}, body: '{}' },
  });
  await port.publish([task, delivery]);
  const channel = await openChannel(t);
  const message = await eventually('the message', () =>
    channel.get(queueNames(installation.prefix).tasks.crawl_page),
  );
  t.match(message.properties, {
    messageId: `${task.taskId}.1`,
    type: 'crawl_page',
    appId: 'cadre',
    deliveryMode: 2,
    contentType: 'application/json',
    timestamp: Number,
    headers: { agent: task.agentId, job: task.jobId, task: task.taskId, attempt: 1, request: task.requestId },
  });
  channel.ack(message);
  const ofDelivery = await eventually('the delivery', () =>
    channel.get(queueNames(installation.prefix).tasks.deliver_webhook),
  );
  t.match(ofDelivery.properties.headers, { webhook: 'w', delivery: 'd', attempt: 2 });
  channel.ack(ofDelivery);
});

t.test('a changed delivery limit does not stop the service', { skip }, async (t) => {
  const installation = makeInstallation(t);
  await installation.start('api', { maxDeliveries: 3 });
  const { port } = await installation.start('api', { maxDeliveries: 5 });
  t.same(await port.publish([pageTask('x')]), [true]);
});

t.test('a queue of another type with our name prevents the start', { skip }, async (t) => {
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  const channel = await openChannel(t);
  await channel.assertQueue(queueNames(prefix).tasks.crawl_page, { durable: true });
  await t.rejects(rabbitmq.start(contextOf('api', { url: amqpUrl, prefix })), {
    message: /has a queue with other properties than Cadre requires: .*choose another prefix/,
    cause: { message: /PRECONDITION_FAILED/ },
  });
});

t.test('a prefix belongs to the first installation until another one adopts it', { skip }, async (t) => {
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  const start = async (id: string, role: 'api' | 'worker' = 'api', adopts = false) => {
    const claim = { installation: async () => id.repeat(64), adopts };
    const { stop } = await rabbitmq.start({ ...contextOf(role, { url: amqpUrl, prefix }), claim });
    t.teardown(() => stop({ deadlineMs: 500 }));
  };
  await start('a');
  await start('a', 'worker');
  const message =
    /the prefix "cadre-test-[^"]+" belong to another installation \(a{12}\)\. .*`npx cadre installation adopt`$/;
  for (const role of ['api', 'worker'] as const) await t.rejects(start('b', role), { message });
  await start('b', 'api', true);
  await start('b', 'worker');
  await t.rejects(start('a'), { message: /another installation \(b{12}\)/ });
});

t.test('a prefix can be adopted again and again', { skip }, async (t) => {
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  for (let n = 0; n < 40; n += 1) {
    const claim = { installation: async () => String(n), adopts: true };
    const { port, stop } = await rabbitmq.start({ ...contextOf('api', { url: amqpUrl, prefix }), claim });
    try {
      await eventually(`adoption ${n}`, async () => (await port.health()).ok);
    } finally {
      await stop({ deadlineMs: 500 });
    }
  }
});

t.test('a worker waits until it knows its installation', { skip }, async (t) => {
  const prefix = freshPrefix();
  t.teardown(() => deleteQueues(prefix));
  let isClaimed = false;
  const installation = async () => {
    if (isClaimed) return 'a';
    throw new Error('no API has claimed the storage');
  };
  const context = {
    ...contextOf('worker', { url: amqpUrl, prefix }),
    claim: { installation, adopts: false },
  };
  const { port, stop } = await rabbitmq.start(context);
  t.teardown(() => stop({ deadlineMs: 500 }));
  t.match(await port.health(), { ok: false, reason: /no API has claimed the storage/ });
  isClaimed = true;
  await eventually('it is ready', async () => (await port.health()).ok);
});

t.test('wrong credentials prevent the start without being revealed', { skip }, async (t) => {
  const url = new URL(amqpUrl);
  url.password = 'wrong-secret';
  const context = contextOf('api', { url: url.href, prefix: freshPrefix() });
  const warned: object[] = [];
  const log: Log = { ...context.log, warn: (fields) => warned.push(fields), child: () => log };
  const error = await rabbitmq.start({ ...context, log }).then(
    () => null,
    (error: Error) => error,
  );
  t.match(error, { message: /^RabbitMQ at [^ ]+ refused the login of .*AMQP_URL$/ });
  t.same(warned, [{ why: error?.message }], 'the log has the same sentence, and no stack');
  t.notMatch(`${error?.message} ${String(error?.cause)}`, /wrong-secret/);
});

t.test('a missing virtual host prevents the start, also of a worker', { skip }, async (t) => {
  const url = new URL(amqpUrl);
  url.pathname = '/no-such-host';
  for (const role of ['api', 'worker'] as const)
    await t.rejects(rabbitmq.start(contextOf(role, { url: url.href, prefix: freshPrefix() })), {
      message:
        /has no virtual host "no-such-host", or "[^"]+" may not use it\. Create it or grant access .*AMQP_URL$/,
    });
});
