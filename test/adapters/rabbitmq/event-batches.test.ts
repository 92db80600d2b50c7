import { setImmediate } from 'node:timers/promises';
import { type ConsumeMessage, connect } from 'amqplib';
import t, { type Test } from 'tap';
import { createEventBatches } from '../../../adapters/rabbitmq/event-batches.js';
import { createListeners } from '../../../adapters/rabbitmq/listeners.js';
import { queueNames } from '../../../adapters/rabbitmq/topology.js';
import type { TaskEvent } from '../../../core/tasks/wire.js';
import { eventually, pageTask } from '../../contracts/queue.contract.js';
import { amqpUrl, rabbitmqMissing } from '../../support/rabbitmq.js';
import { aliveOf, listenTo, makeInstallation } from './fixtures/installation.js';

const skip = await rabbitmqMissing();

const eventsOf = (count: number, installation = 'ours'): TaskEvent[] =>
  Array.from({ length: count }, (_, n) => ({ ...aliveOf(pageTask(`${installation} ${n}`)), installation }));

const ids = (of: readonly TaskEvent[]): string[] => of.map(({ taskId }) => taskId).sort();

/** Batches at a time that the test moves; `sent` has the events of each message, by its queue. */
function batches({ taken = true, heard = true } = {}) {
  let time = 0;
  const sent: [queue: string, events: TaskEvent[]][] = [];
  const emit = createEventBatches({
    names: queueNames('test'),
    async send(queue, { body }) {
      const said = JSON.parse(String(body)) as TaskEvent | { events: TaskEvent[] };
      sent.push([queue, 'events' in said ? said.events : [said]]);
      return taken;
    },
    areHeard: () => heard,
    now: () => time,
  });
  return {
    sent,
    emit,
    pass: (ms: number) => {
      time += ms;
    },
    sizes: () => sent.map(([queue, { length }]) => `${queue.replace(/^test\.|\.v1$/g, '')} ${length}`),
  };
}

t.test('what a worker says in quick succession shares messages', async (t) => {
  const { sent, emit, sizes } = batches();
  const events = eventsOf(21);
  const answers = await Promise.all(events.map(emit));
  t.same(sizes(), ['events 1', 'event-batches 16', 'event-batches 4'], 'the first waits for nobody');
  t.same(ids(sent.flatMap(([, of]) => of)), ids(events));
  t.ok(answers.every(Boolean));
});

t.test('the first event after a silence is sent at once and alone', async (t) => {
  const { emit, pass, sizes } = batches();
  for (const event of eventsOf(3)) {
    pass(10);
    await emit(event);
  }
  t.same(sizes(), ['events 1', 'events 1', 'events 1']);
});

t.test('long events do not make long messages', async (t) => {
  const { emit, sizes } = batches();
  const reason = 'x'.repeat(30_000);
  await Promise.all(eventsOf(7).map((event) => emit({ ...event, kind: 'dead', reason })));
  t.same(sizes(), ['events 1', 'event-batches 3', 'event-batches 3']);
});

t.test('when sending fails, every event of the message fails', async (t) => {
  const emit = createEventBatches({
    names: queueNames('test'),
    send: () => Promise.reject(new Error('a fault')),
    areHeard: () => true,
  });
  await Promise.all(eventsOf(4).map((event) => t.rejects(emit(event), { message: 'a fault' })));
});

t.test('events of two installations do not share a message', async (t) => {
  const { sent, emit, sizes } = batches();
  await Promise.all([...eventsOf(5), ...eventsOf(4, 'theirs')].map(emit));
  t.same(sizes(), ['events 1', 'event-batches 4', 'event-batches 4']);
  t.ok(sent.every(([, of]) => new Set(of.map(({ installation }) => installation)).size === 1));
});

t.test('a message that was not taken was not taken for each of its events', async (t) => {
  const { emit } = batches({ taken: false });
  t.same(await Promise.all(eventsOf(3).map(emit)), [false, false, false]);
});

t.test('without a listener for batches, each event is sent alone', async (t) => {
  const { sent, emit, sizes } = batches({ heard: false });
  const events = eventsOf(5);
  t.same(
    await Promise.all(events.map(emit)),
    events.map(() => true),
  );
  t.same(
    sizes(),
    events.map(() => 'events 1'),
  );
  t.same(ids(sent.flatMap(([, of]) => of)), ids(events));
});

t.test('whether there is a listener is remembered for a moment', async (t) => {
  let time = 0;
  let count = 1;
  let looks = 0;
  const listeners = createListeners(
    async () => {
      looks += 1;
      if (count < 0) throw new Error('the broker is away');
      return count;
    },
    () => time,
  );
  const asked = async (): Promise<boolean[]> => {
    const first = listeners();
    await setImmediate();
    return [first, listeners()];
  };
  t.same(await asked(), [false, true], 'it waits for nobody');
  t.equal(looks, 1);
  time += 1_000;
  count = 0;
  t.same(await asked(), [true, false]);
  time += 1_000;
  count = 1;
  await asked();
  time += 3_000;
  t.same(await asked(), [false, true], 'after a while it does not know');
  count = -1;
  time += 2_999;
  t.same(await asked(), [true, true]);
  time += 1;
  t.same(await asked(), [false, false], 'nor while the broker is away');
});

/** A broker with an API, or more of them, and a way to its queues of events. */
async function withBroker(t: Test) {
  const installation = makeInstallation(t);
  const connection = await connect(amqpUrl);
  t.teardown(() => connection.close());
  const channel = await connection.createConfirmChannel();
  const { batches, events } = queueNames(installation.prefix);
  return {
    installation,
    /** As an API would of which we know the version: what each message says. */
    async hear(queue: 'events' | 'batches'): Promise<unknown[]> {
      const heard: unknown[] = [];
      const hear = (message: ConsumeMessage | null) => void heard.push(JSON.parse(String(message?.content)));
      await channel.consume({ events, batches }[queue], hear, { noAck: true });
      return heard;
    },
    async send(...messages: unknown[]) {
      for (const body of messages) channel.sendToQueue(batches, Buffer.from(JSON.stringify(body)));
      await channel.waitForConfirms();
    },
    waiting: async () => (await channel.checkQueue(batches)).messageCount,
  };
}

t.test('all that a worker says is heard, and the broker keeps none of it', { skip }, async (t) => {
  const { installation, waiting } = await withBroker(t);
  const { port } = await installation.start('worker');
  const heard = await listenTo((await installation.start('api')).port);
  const events = eventsOf(50);
  await Promise.all(events.map(port.emit));
  await eventually('all of them', () => heard.events.length >= events.length);
  t.same(ids(heard.events), ids(events), 'each once');
  await eventually('the broker has none any more', async () => (await waiting()) === 0);
});

t.test('an API of an earlier version hears all that a worker of this one says', { skip }, async (t) => {
  const { installation, hear, waiting } = await withBroker(t);
  const { port } = await installation.start('worker');
  const single = await hear('events');
  for (const round of [1, 2, 3]) {
    await Promise.all(eventsOf(20).map(port.emit));
    await eventually('all of them', () => single.length === round * 20);
  }
  t.equal(await waiting(), 0);

  const several = await hear('batches');
  await eventually('one of this version hears several at once', async () => {
    await Promise.all(eventsOf(20).map(port.emit));
    return several.length > 0;
  });
});

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
