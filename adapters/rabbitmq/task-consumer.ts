import type { Channel, ChannelModel, ConsumeMessage, GetMessage } from 'amqplib';
import { createSemaphore } from '../../core/fairness/semaphore.js';
import type { Log } from '../../core/ports/log.port.js';
import { idsOfTask } from '../../core/tasks/task-ids.js';
import { byTaskType, type TaskType, taskTypeNames } from '../../core/tasks/task-types.js';
import type { TaskMessage } from '../../core/tasks/wire.js';
import { isTaskMessage } from '../../core/tasks/wire-guards.js';
import type { Consumer } from './consumer.js';
import { decode, returns } from './message.js';
import type { QueueNames } from './topology.js';

/*
 * The consumer is in one of these modes:
 *
 *   detached ── connected ──▶ careful
 *   careful ─── a message with deliveries left, or none ──▶ open
 *   careful ─── a message with its last delivery runs alone, and ends ──▶ careful
 *   careful, open ── channel closed ──▶ detached
 *   any ── end ──▶ ended
 *
 * A new connection starts in `careful`, because a message with only one delivery left may have crashed the previous
 * worker. In this mode, messages are fetched one by one, and such a message runs alone. In `open`, the prefetch limit
 * of each type is its number of slots.
 */
type Mode =
  | { name: 'detached' }
  | { name: 'careful'; channel: Channel }
  | { name: 'open'; channel: Channel }
  | { name: 'ended'; channel: Channel | null };

export interface TaskConsumerOptions {
  names: QueueNames;
  /** Prefix of the consumer tags in RabbitMQ management. */
  tag: string;
  /** Maximum concurrent tasks of each type. */
  slots: number;
  maxDeliveries: number;
  handler: (message: TaskMessage) => Promise<void>;
  log: Log;
  onBroken: (why: string) => void;
}

type Message = ConsumeMessage | GetMessage;

/**
 * Creates the consumer of tasks. It prefetches hardly more tasks than it runs, because every unacknowledged task
 * loses a delivery if the worker dies.
 */
export const createTaskConsumer = (options: TaskConsumerOptions): Consumer => {
  const { names, log, handler, onBroken, maxDeliveries, slots } = options;
  const permits = byTaskType(() => createSemaphore(slots));
  let mode: Mode = { name: 'detached' };
  let model: ChannelModel | null = null;

  const tagOf = (type: TaskType): string => `${options.tag}.${type}`;
  const isLive = (channel: Channel): boolean => 'channel' in mode && mode.channel === channel;
  const hasEnded = (): boolean => mode.name === 'ended';
  const isCareful = (channel: Channel): boolean => mode.name === 'careful' && mode.channel === channel;

  /**
   * Ignores the error of a closed channel: its messages have returned to the broker, and a reconnection opens a new
   * channel.
   */
  const ignoreClosed = (error: unknown): void => log.debug({ err: error }, 'the task channel was closed');

  const isLastDelivery = (message: Message): boolean => {
    const before = returns(message);
    return before > 0 && before >= maxDeliveries - 1;
  };

  const beCareful = async (channel: Channel): Promise<void> => {
    mode = { name: 'careful', channel };
    let types = taskTypeNames;
    while (isCareful(channel)) {
      const message = await fetchOne(channel, types);
      // Rotate the types, so that last deliveries of one type do not block another type forever.
      types = [...types.slice(1), ...types.slice(0, 1)];
      if (message === null) await open(channel);
      else if (hasEnded()) channel.nack(message, false, true);
      else if (isLastDelivery(message)) await perform(channel, message);
      else {
        perform(channel, message).catch(ignoreClosed);
        await open(channel);
      }
    }
  };

  const fetchOne = async (channel: Channel, types: readonly TaskType[]): Promise<GetMessage | null> => {
    for (const type of types) {
      const message = await channel.get(names.tasks[type]);
      if (message !== false) return message;
    }
    return null;
  };

  const open = async (channel: Channel): Promise<void> => {
    if (!isCareful(channel)) return;
    mode = { name: 'open', channel };
    await channel.prefetch(slots);
    for (const type of taskTypeNames) {
      await channel.consume(names.tasks[type], (message) => take(channel, message), {
        consumerTag: tagOf(type),
      });
    }
  };

  const take = (channel: Channel, message: ConsumeMessage | null): void => {
    if (message === null) onBroken('the broker cancelled a consumer');
    else if (hasEnded()) channel.nack(message, false, true);
    else perform(channel, message).catch(ignoreClosed);
  };

  /** Runs the handler. Resolves when the message has been acknowledged or rejected. */
  const perform = async (channel: Channel, message: Message): Promise<void> => {
    const task = decode(message);
    if (!isTaskMessage(task)) {
      const { fields, content } = message;
      log.error(
        { queue: fields.routingKey, bytes: content.length },
        'dead-lettered a message that is not a task',
      );
      channel.reject(message, false);
      return;
    }
    // Other permits may be held by handlers of an earlier connection, or by the message that was fetched in
    // `careful`.
    const release = await permits[task.type].acquire();
    let done = false;
    try {
      if (!hasEnded() && isLive(channel)) {
        await handler(task);
        done = true;
      }
    } catch (error) {
      log.warn(
        { ...idsOfTask(task), err: error },
        'a task failed in this worker; returning it to the broker',
      );
    } finally {
      release();
    }
    if (!isLive(channel)) return;
    // Reject, because from 4.3 on brokers do not count other returns as failed deliveries.
    if (done) channel.ack(message);
    else channel.reject(message, true);
  };

  return {
    attach: async (next) => {
      if (hasEnded() || model === next) return;
      model = next;
      mode = { name: 'detached' };
      const channel = await next.createChannel();
      channel.on('error', (error) => log.warn({ err: error }, 'the channel for tasks failed'));
      channel.on('close', () => {
        if (!isLive(channel) || hasEnded()) return;
        mode = { name: 'detached' };
        onBroken('the task channel was closed');
      });
      if (hasEnded() || model !== next) await channel.close();
      else beCareful(channel).catch(ignoreClosed);
    },

    end: async () => {
      const channel = 'channel' in mode ? mode.channel : null;
      mode = { name: 'ended', channel };
      if (channel !== null)
        await Promise.allSettled(taskTypeNames.map((type) => channel.cancel(tagOf(type))));
      await Promise.all(taskTypeNames.map((type) => permits[type].drain()));
      await channel?.close().catch(ignoreClosed);
    },
  };
};
