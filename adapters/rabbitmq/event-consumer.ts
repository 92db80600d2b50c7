import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { createEventDelivery, type EventDelivery } from '../../core/jobs/event-delivery.js';
import type { Log } from '../../core/ports/log.port.js';
import { idsOfEvent, targetOf } from '../../core/tasks/task-ids.js';
import { type TaskEvent, WIRE_VERSION } from '../../core/tasks/wire.js';
import { attemptIdentity, isTaskEvent, isTaskMessage } from '../../core/tasks/wire-guards.js';
import type { Consumer } from './consumer.js';
import { deathReason, decode } from './message.js';
import type { QueueNames } from './topology.js';

/** Prefetch limit of one API process for events and dead letters. */
const PREFETCH = 64;

/** Converts a dead letter to an event. Returns undefined if it has no ids of an attempt. */
const deadEvent = (message: ConsumeMessage): TaskEvent | undefined => {
  const dead = decode(message);
  const identity = attemptIdentity(dead);
  if (identity === null) return undefined;
  return {
    v: WIRE_VERSION,
    ...identity,
    ...(isTaskMessage(dead) ? { target: targetOf(dead) } : {}),
    kind: 'dead',
    worker: 'rabbitmq',
    reason: deathReason(message),
  };
};

/**
 * Parsers of the messages in each queue. They return undefined for a message that is damaged or from another system.
 */
const eventIn = { events: decode, dead: deadEvent };
const kinds = ['events', 'dead'] as const;

interface Incoming {
  from: Channel;
  to: EventDelivery;
}

/**
 * Consumes events and dead letters. If a handler fails, it is retried here with pauses, because the broker would
 * redeliver immediately. Messages return to the broker when this consumer ends or loses its connection. Handled dead
 * letters are acknowledged, because the task's row stores the reason.
 */
export const createEventConsumer = (options: {
  names: QueueNames;
  tag: string;
  handler: (event: TaskEvent) => Promise<void>;
  log: Log;
  onBroken: (why: string) => void;
}): Consumer => {
  const { names, tag, handler, log, onBroken } = options;
  let channel: Channel | null = null;
  let model: ChannelModel | null = null;
  let delivery: EventDelivery | null = null;
  let over = false;
  let garbage = 0;

  const logGarbage = (message: ConsumeMessage): void => {
    garbage += 1;
    const { fields, properties, content } = message;
    const { messageId, appId } = properties;
    const what = { queue: fields.routingKey, bytes: content.length, messageId, appId, garbage };
    log.error(what, 'dropped a message that is neither an event nor a dead letter');
  };

  const take = ({ from, to }: Incoming, message: ConsumeMessage, event: unknown): void => {
    if (!isTaskEvent(event)) {
      logGarbage(message);
      from.ack(message);
      return;
    }
    to.deliver(event)
      .then(() => from.ack(message))
      // If delivery has ended or the channel is closed, the broker redelivers the message.
      .catch((error) => log.debug({ ...idsOfEvent(event), err: error }, 'an event returns to the broker'));
  };

  return {
    attach: async (next) => {
      if (over || model === next) return;
      model = next;
      channel = null;
      delivery?.end().catch((error) => log.error({ err: error }, 'event delivery could not be ended'));
      const to = createEventDelivery({ handler, log });
      delivery = to;
      const fresh = await next.createChannel();
      fresh.on('error', (error) => log.warn({ err: error }, 'the channel for events failed'));
      fresh.on('close', () => {
        if (channel !== fresh) return;
        channel = null;
        if (!over) onBroken('the event channel was closed');
      });
      channel = fresh;
      await fresh.prefetch(PREFETCH);
      for (const kind of kinds) {
        const incoming = { from: fresh, to };
        const receive = (message: ConsumeMessage | null): void => {
          if (message === null) onBroken('the broker cancelled a consumer');
          else take(incoming, message, eventIn[kind](message));
        };
        await fresh.consume(names[kind], receive, { consumerTag: `${tag}.${kind}` });
      }
    },

    end: async () => {
      over = true;
      const on = channel;
      // End delivery first: messages that arrive before the cancellation return to the broker when the channel
      // closes.
      const quiet = delivery?.end();
      if (on !== null) await Promise.allSettled(kinds.map((kind) => on.cancel(`${tag}.${kind}`)));
      await quiet;
      channel = null;
      await on?.close().catch((error) => log.debug({ err: error }, 'was closed already'));
    },
  };
};
