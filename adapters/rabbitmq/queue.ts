import { setTimeout as pause } from 'node:timers/promises';
import type { ChannelModel } from 'amqplib';
import { createSemaphore } from '../../core/fairness/semaphore.js';
import { within } from '../../core/fairness/time-limit.js';
import type { PluginContext, Started } from '../../core/ports/plugin.port.js';
import type { Queue, Unsubscribe } from '../../core/ports/queue.port.js';
import { taskTypeNames } from '../../core/tasks/task-types.js';
import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';
import type { Consumer } from './consumer.js';
import { createEventConsumer } from './event-consumer.js';
import { type Link, openLink } from './link.js';
import { encodeEvent, encodeTask } from './message.js';
import { createPublisher, type Publisher } from './publisher.js';
import { createTaskConsumer } from './task-consumer.js';
import { declareQueues, onChannel, queueNames } from './topology.js';

export interface RabbitOptions {
  url: string;
  prefix: string;
}

const EMIT_PAUSE_MS = 500;

const stopped = () => Promise.reject(new Error('the RabbitMQ queue is stopped'));

/** Starts the queue, even if the broker is unreachable (see `health`). Rejects if the broker refuses this client. */
export const startQueue = async (context: PluginContext<RabbitOptions, 'queue'>): Promise<Started<Queue>> => {
  const { options, log, role, processName, maxDeliveries, claim } = context;
  const names = queueNames(options.prefix);
  const tag = `cadre.${processName}`;
  const consumers = new Set<Consumer>();
  let live: ChannelModel | null = null;
  let over = false;

  // Connections declare the queues one after the other: two that adopt the prefix together would delete each other's
  // claim, and the broker may then reject its declaration for half a minute ("cluster_not_formed").
  const declaring = createSemaphore(1);
  const declare = async (model: ChannelModel): Promise<void> => {
    const release = await declaring.acquire();
    try {
      await declareQueues(model, { names, claim, maxDeliveries, log });
    } finally {
      release();
    }
  };
  const publisher = createPublisher({ log, onBroken: (why) => sending.renew(why) });
  // Consumers have their own connection, because an alarm of the broker blocks connections that publish.
  const sending: Link = await openLink({
    url: options.url,
    name: `cadre ${processName} publish`,
    log,
    setup: async (model) => {
      await declare(model);
      await publisher.attach(model);
    },
  });
  const taking: Link = await openLink({
    url: options.url,
    name: `cadre ${processName} consume`,
    log,
    setup: async (model) => {
      await declare(model);
      live = model;
      for (const consumer of consumers) await consumer.attach(model);
    },
  });
  const renewTaking = (why: string) => taking.renew(why);

  const consume = async (consumer: Consumer): Promise<Unsubscribe> => {
    consumers.add(consumer);
    try {
      if (live !== null) await consumer.attach(live);
    } catch (error) {
      // The connection is lost. The reconnection attaches the consumer.
      log.debug({ err: error }, 'the consumer is not attached yet');
    }
    return async () => {
      consumers.delete(consumer);
      await consumer.end();
    };
  };

  const send: Publisher['send'] = async (queue, message) =>
    sending.trouble() === null && (await publisher.send(queue, message));

  /**
   * Sends an event, with unlimited retries: an outage may last for hours, and a failure would return the task and use
   * up its deliveries. The number of waiting events is limited, because a slot takes no further task until its event
   * is sent.
   */
  const emit = async (event: TaskEvent): Promise<void> => {
    while (!(await send(names.events, encodeEvent(event)))) {
      if (over) return stopped();
      await pause(EMIT_PAUSE_MS);
    }
  };

  const publish = (messages: readonly TaskMessage[]): Promise<boolean[]> =>
    Promise.all(messages.map((message) => send(names.tasks[message.type], encodeTask(message))));

  const port: Queue = {
    capabilities: { durable: true, remoteWorkers: true },

    publish: async (messages) => (over ? stopped() : publish(messages)),
    emit: async (event) => (over ? stopped() : emit(event)),
    onEvent: async (handler) =>
      over ? stopped() : consume(createEventConsumer({ names, tag, handler, log, onBroken: renewTaking })),
    onTask: async (slots, handler) =>
      over
        ? stopped()
        : consume(
            createTaskConsumer({
              names,
              tag,
              slots,
              maxDeliveries,
              handler,
              log,
              onBroken: renewTaking,
            }),
          ),

    depth: async () => {
      if (over) return stopped();
      const model = sending.model();
      if (model === null) return { waiting: null, consumers: null };
      const [found, events] = await onChannel(model, (channel) =>
        Promise.all([
          Promise.all(taskTypeNames.map((type) => channel.checkQueue(names.tasks[type]))),
          channel.checkQueue(names.events),
        ]),
      );
      return {
        waiting: found.reduce((sum, { messageCount }) => sum + messageCount, 0),
        // Each worker consumes from all queues, so count the consumers of one.
        consumers: Math.max(...found.map(({ consumerCount }) => consumerCount)),
        listeners: events.consumerCount,
      };
    },

    health: async () => {
      if (over) return stopped();
      const reason = sending.trouble() ?? taking.trouble();
      return reason === null ? { ok: true } : { ok: false, reason };
    },
  };

  const stop = async (deadlineMs: number): Promise<void> => {
    const deadline = Date.now() + deadlineMs;
    const ended = await within(deadlineMs, Promise.all([...consumers].map((consumer) => consumer.end())));
    if (!ended) log.warn({}, 'stopped while handlers were running: their messages return to the broker');
    over = true;
    await within(Math.max(500, deadline - Date.now()), Promise.all([sending.close(), taking.close()]));
  };
  let stopping: Promise<void> | null = null;
  const started: Started<Queue> = {
    port,
    stop: ({ deadlineMs }) => {
      stopping ??= stop(deadlineMs);
      return stopping;
    },
  };

  try {
    await Promise.all([sending.firstTry(), taking.firstTry()]);
  } catch (error) {
    await started.stop({ deadlineMs: 1_000 });
    throw error;
  }
  log.debug({ role }, 'queue started');
  return started;
};
