import { connect, type GetMessage } from 'amqplib';
import t, { type Test } from 'tap';
import { createHandOn } from '../../../adapters/rabbitmq/hand-on.js';
import { encodeTask, type Outgoing, returns } from '../../../adapters/rabbitmq/message.js';
import { createTaskConsumer } from '../../../adapters/rabbitmq/task-consumer.js';
import { declareQueues, queueNames } from '../../../adapters/rabbitmq/topology.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { ForeignMessage } from '../../../core/ports/queue.port.js';
import type { TaskMessage } from '../../../core/tasks/wire.js';
import { eventually, pageTask } from '../../contracts/queue.contract.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../../support/rabbitmq.js';

const MESSAGES = 40;
const MAX_DELIVERIES = 3;
const skip = await rabbitmqMissing();

t.test('many messages are handed on at once without a warning', { skip }, async (t) => {
  const connection = await connect(amqpUrl);
  t.teardown(() => connection.close());
  const channel = await connection.createConfirmChannel();
  const { queue } = await channel.assertQueue(freshPrefix(), { exclusive: true });
  for (let n = 0; n < MESSAGES; n += 1) channel.sendToQueue(queue, Buffer.from(String(n)));
  await channel.waitForConfirms();
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));

  const ending = new AbortController();
  const taken: GetMessage[] = [];
  for (let message = await channel.get(queue); message; message = await channel.get(queue))
    taken.push(message);
  const others = createHandOn({
    signal: ending.signal,
    async send(queue, { body, properties }) {
      channel.sendToQueue(queue, body, properties);
      await channel.waitForConfirms();
      return true;
    },
  });
  const handed = taken.map((message) => others.give({ channel, isLive: () => true, queue, message }));
  ending.abort();
  await others.done();
  await Promise.all(handed);
  t.equal((await channel.checkQueue(queue)).messageCount, MESSAGES, 'they wait for the next who listens');
  t.same(warnings, []);
});

/** A worker with two places on queues of its own; what it hands on is refused until `opens`, and then noted. */
async function workerThatCannotSend(t: Test) {
  const prefix = freshPrefix();
  const names = queueNames(prefix);
  const [connection, another] = await Promise.all([connect(amqpUrl), connect(amqpUrl)]);
  await declareQueues(connection, { names, maxDeliveries: MAX_DELIVERIES, log: silentLog });
  const sending = await another.createConfirmChannel();
  const begun: string[] = [];
  const handedOn: Outgoing[] = [];
  let refused = 0;
  let isOpen = false;
  const consumer = createTaskConsumer({
    names,
    tag: 'test',
    slots: 2,
    maxDeliveries: MAX_DELIVERIES,
    async handler({ payload, taskId }) {
      begun.push(taskId);
      if (JSON.stringify(payload).includes('foreign')) throw new ForeignMessage('told to');
    },
    async send(_, message) {
      if (isOpen) handedOn.push(message);
      else refused += 1;
      return isOpen;
    },
    log: silentLog,
    onBroken: (why) => t.fail(why),
  });
  await consumer.attach(connection);
  t.teardown(async () => {
    await consumer.end();
    await Promise.all([connection.close(), another.close()]);
    await deleteQueues(prefix);
  });
  return {
    begun,
    handedOn,
    consumer,
    refused: () => refused,
    opens: () => {
      isOpen = true;
    },
    async publish(task: TaskMessage) {
      const { body, properties } = encodeTask(task);
      sending.sendToQueue(names.tasks.crawl_page, body, properties);
      await sending.waitForConfirms();
    },
    /** What this worker has given back. */
    givenBack: () => sending.get(names.tasks.crawl_page),
  };
}

t.test('while nothing can be published, tasks are taken, and a foreign one is held', { skip }, async (t) => {
  const { begun, handedOn, refused, opens, publish } = await workerThatCannotSend(t);
  const foreign = pageTask('foreign');
  await publish(foreign);
  await eventually('refused twice', () => refused() > 1);
  const own = [pageTask('a'), pageTask('b'), pageTask('c')];
  for (const task of own) await publish(task);
  for (const { taskId } of own) await eventually('an own task', () => begun.includes(taskId));
  opens();
  const [message] = await eventually('handed on', () => handedOn.length > 0 && handedOn);
  t.match(message, { properties: { messageId: `${foreign.taskId}.1`, headers: { 'x-cadre-returns': 0 } } });
  t.equal(
    begun.filter((taskId) => taskId === foreign.taskId).length,
    1,
    'it did not come back, which counts',
  );
});

t.test('what could not be handed on goes back when the worker ends', { skip }, async (t) => {
  const { begun, consumer, refused, publish, givenBack } = await workerThatCannotSend(t);
  await publish(pageTask('foreign'));
  await eventually('refused', () => refused() > 0);
  await consumer.end();
  const message = await givenBack();
  t.equal(begun.length, 1);
  t.equal(message && returns(message), 1, 'which counts as a delivery');
});
