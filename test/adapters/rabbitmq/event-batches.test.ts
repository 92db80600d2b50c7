import { connect } from 'amqplib';
import t, { type Test } from 'tap';
import { queueNames } from '../../../adapters/rabbitmq/topology.js';
import type { TaskEvent } from '../../../core/tasks/wire.js';
import { eventually, pageTask } from '../../contracts/queue.contract.js';
import { amqpUrl, rabbitmqMissing } from '../../support/rabbitmq.js';
import { aliveOf, listenTo, makeInstallation } from './fixtures/installation.js';

const skip = await rabbitmqMissing();

const eventsOf = (count: number): TaskEvent[] =>
  Array.from({ length: count }, (_, n) => aliveOf(pageTask(String(n))));

/** A broker, and a way to send what a worker of the previous version does. */
async function withBroker(t: Test) {
  const installation = makeInstallation(t);
  const connection = await connect(amqpUrl);
  t.teardown(() => connection.close());
  const channel = await connection.createConfirmChannel();
  const { batches } = queueNames(installation.prefix);
  return {
    installation,
    async send(...messages: unknown[]) {
      for (const body of messages) channel.sendToQueue(batches, Buffer.from(JSON.stringify(body)));
      await channel.waitForConfirms();
    },
    waiting: async () => (await channel.checkQueue(batches)).messageCount,
  };
}

t.test('a message stays with the broker until each of its events is taken', { skip }, async (t) => {
  const { installation, send, waiting } = await withBroker(t);
  const first = await installation.start('api');
  const events = eventsOf(5);
  const stubborn = events[3]?.taskId;
  const tries: string[] = [];
  await first.port.onEvent(async ({ taskId }) => {
    tries.push(taskId);
    if (taskId === stubborn) throw new Error('the database is away');
  });
  await send({ v: 1, events });
  await eventually('tried again', () => tries.filter((id) => id === stubborn).length > 1);
  t.equal(tries.filter((id) => id !== stubborn).length, 4, 'the others are taken once');

  await first.stop();
  await eventually('it goes back', async () => (await waiting()) === 1);
  const second = await listenTo((await installation.start('api')).port);
  await eventually('the next API hears all of the message', () => second.events.length === 5);
  await eventually('it is done', async () => (await waiting()) === 0);
});

t.test('of a damaged message, what is whole is taken', { skip }, async (t) => {
  const { installation, send, waiting } = await withBroker(t);
  const { port } = await installation.start('api');
  const heard = await listenTo(port);
  const [event] = eventsOf(1);
  await send({ v: 1, events: [] }, { v: 1, events: [null, event, { kind: 'odd' }] }, { events: 7 });
  await eventually('it is heard', () => heard.events.length === 1);
  t.same(heard.events[0], event);
  await eventually('nothing is left', async () => (await waiting()) === 0);
});
