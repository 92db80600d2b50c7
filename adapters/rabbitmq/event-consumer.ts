import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { createEventDelivery, type EventDelivery } from '../../core/jobs/event-delivery.js';
import type { Log } from '../../core/ports/log.port.js';
import { ForeignMessage } from '../../core/ports/queue.port.js';
import { idsOfEvent, targetOf } from '../../core/tasks/task-ids.js';
import { type TaskEvent, WIRE_VERSION } from '../../core/tasks/wire.js';
import { attemptIdentity, isTaskEvent, isTaskMessage } from '../../core/tasks/wire-guards.js';
import type { Consumer } from './consumer.js';
import { createHandOn } from './hand-on.js';
import { deathReason, decode, type Outgoing } from './message.js';
import type { QueueNames } from './topology.js';

/** Events, and dead letters, that one API process holds at a time. */
const PREFETCH = 64;

/** A dead letter as an event; null for what names no attempt. */
const deadEvent = (message: ConsumeMessage): TaskEvent | null => {
  const dead = decode(message);
  const identity = attemptIdentity(dead);
  if (identity === null) return null;
  return {
    v: WIRE_VERSION,
    ...identity,
    ...(isTaskMessage(dead) ? { target: targetOf(dead) } : {}),
    kind: 'dead',
    worker: 'rabbitmq',
    reason: deathReason(message),
  };
};

const taskEvent = (message: ConsumeMessage): TaskEvent | null => {
  const event = decode(message);
  return isTaskEvent(event) ? event : null;
};

/**
 * Takes events and dead letters. One whose handler fails is held and tried again here, with pauses: sent back to the
 * broker it would return at once, and again. It goes back when this consumer ends or loses its connection. Dead letters
 * leave their queue when the handler has taken them: the task's row keeps the reason, so no copy of the message is kept.
 */
export const createEventConsumer = (options: {
  names: QueueNames;
  tag: string;
  handler: (event: TaskEvent) => Promise<void>;
  /** Sends what belongs to others, over a connection of its own; true when the broker has it. */
  send: (queue: string, message: Outgoing) => Promise<boolean>;
  log: Log;
  onBroken: (why: string) => void;
}): Consumer => {
  const { names, tag, handler, log, onBroken } = options;
  let channel: Channel | null = null;
  let model: ChannelModel | null = null;
  let delivery: EventDelivery | null = null;
  const ending = new AbortController();
  const others = createHandOn({ send: options.send, signal: ending.signal });
  let garbage = 0;

  const drop = (from: Channel, message: ConsumeMessage): void => {
    garbage += 1;
    const { fields, properties, content } = message;
    const { messageId, appId } = properties;
    const what = { queue: fields.routingKey, bytes: content.length, messageId, appId, garbage };
    log.error(what, 'neither an event nor a dead letter: dropped');
    from.ack(message);
  };

  const pass = (from: Channel, to: EventDelivery, message: ConsumeMessage, event: TaskEvent): void => {
    to.deliver(event)
      .then(() => from.ack(message))
      .catch((error) => {
        if (!(error instanceof ForeignMessage)) throw error;
        const queue = message.fields.consumerTag === `${tag}.dead` ? names.dead : names.events;
        return others.give({ channel: from, isLive: () => channel === from, queue, message });
      })
      // Delivery has ended, or the channel was closed: the broker has the message back.
      .catch((error) => log.debug({ ...idsOfEvent(event), err: error }, 'event goes back'));
  };

  const take =
    (from: Channel, to: EventDelivery, read: (message: ConsumeMessage) => TaskEvent | null) =>
    (message: ConsumeMessage | null): void => {
      const event = message === null ? null : read(message);
      if (message === null) onBroken('the broker cancelled a consumer');
      else if (event === null) drop(from, message);
      else pass(from, to, message, event);
    };

  return {
    attach: async (next) => {
      if (ending.signal.aborted || model === next) return;
      model = next;
      channel = null;
      delivery?.end().catch((error) => log.error({ err: error }, 'event delivery'));
      const to = createEventDelivery({ handler, log, inFlight: PREFETCH });
      delivery = to;
      const fresh = await next.createChannel();
      fresh.on('error', (error) => log.warn({ err: error }, 'event channel'));
      fresh.on('close', () => {
        if (channel !== fresh) return;
        channel = null;
        if (!ending.signal.aborted) onBroken('the event channel was closed');
      });
      channel = fresh;
      await fresh.prefetch(PREFETCH);
      await fresh.consume(names.events, take(fresh, to, taskEvent), { consumerTag: `${tag}.events` });
      await fresh.consume(names.dead, take(fresh, to, deadEvent), { consumerTag: `${tag}.dead` });
    },

    end: async () => {
      ending.abort();
      const on = channel;
      // First, so that what comes before the cancel is through starts no handler: it goes back with the channel.
      const quiet = delivery?.end();
      if (on !== null)
        await Promise.allSettled(['events', 'dead'].map((name) => on.cancel(`${tag}.${name}`)));
      await quiet;
      await others.done();
      channel = null;
      await on?.close().catch((error) => log.debug({ err: error }, 'was closed already'));
    },
  };
};
