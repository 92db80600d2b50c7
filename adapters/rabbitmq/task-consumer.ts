import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { TaskMessage, TaskType } from '../../core/jobs/wire.js';
import { isTaskMessage } from '../../core/jobs/wire-guards.js';
import type { Log } from '../../core/ports/log.port.js';
import type { Consumer } from './consumer.js';
import { decode, returns } from './message.js';
import { bestType, createSeats, type Seat, type Waiting } from './seats.js';
import { type QueueNames, taskTypes } from './topology.js';

/** How often a worker looks where messages wait: bounds the wait of a task whose type no seat listens to. */
const LOOK_MS = 250;

export interface TaskConsumerOptions {
  names: QueueNames;
  /** Begins the consumer tags that RabbitMQ management shows. */
  tag: string;
  slots: number;
  maxDeliveries: number;
  handler: (message: TaskMessage) => Promise<void>;
  log: Log;
  onBroken: (why: string) => void;
}

/**
 * Takes tasks: never more unacknowledged than there are seats, and each of them runs. A connection begins carefully,
 * with one seat: what has its last delivery (it may have killed this worker's predecessor) runs alone.
 */
export const createTaskConsumer = (options: TaskConsumerOptions): Consumer => {
  const { names, log, handler, onBroken, maxDeliveries } = options;
  const seats = createSeats(options.slots);
  const listening = new Map<Seat, string>();
  let waiting: Waiting = { crawl_page: 0, parse_file: 0 };
  let channel: Channel | null = null;
  let model: ChannelModel | null = null;
  let careful = true;
  let looking = false;
  let ended = false;
  const whenQuiet: (() => void)[] = [];

  const listen = async (seat: Seat, on: Channel): Promise<void> => {
    if (ended || channel !== on || listening.has(seat)) return;
    const consumerTag = `${options.tag}.${seat.type}.${seat.number}`;
    listening.set(seat, consumerTag);
    await on.consume(names.tasks[seat.type], (message) => take(seat, on, message), { consumerTag });
  };

  const deafen = async (seat: Seat, on: Channel): Promise<void> => {
    const consumerTag = listening.get(seat);
    if (consumerTag === undefined) return;
    await on.cancel(consumerTag);
    listening.delete(seat);
  };

  const openAll = async (on: Channel): Promise<void> => {
    careful = false;
    for (const seat of seats) if (!seat.busy) await listen(seat, on);
  };

  const isLastDelivery = (message: ConsumeMessage): boolean => {
    const before = returns(message);
    return before > 0 && before >= maxDeliveries - 1;
  };

  const take = (seat: Seat, from: Channel, message: ConsumeMessage | null): void => {
    if (message === null) onBroken('the broker cancelled a consumer');
    else if (ended) from.nack(message, false, true);
    else begin(seat, from, message);
  };

  const begin = (seat: Seat, from: Channel, message: ConsumeMessage): void => {
    const task = decode(message);
    if (isTaskMessage(task)) {
      seat.busy = true;
      if (careful && !isLastDelivery(message)) openAll(from).catch(closedMeanwhile);
      perform(seat, from, message, task).catch(closedMeanwhile);
    } else {
      const { fields, content } = message;
      log.error({ queue: fields.routingKey, bytes: content.length }, 'not a task: moved aside');
      from.reject(message, false);
    }
  };

  /** A closed channel has handed its messages back already, and recovery opens the next one. */
  const closedMeanwhile = (error: unknown): void => log.debug({ err: error }, 'the task channel was closed');

  const perform = async (
    seat: Seat,
    from: Channel,
    message: ConsumeMessage,
    task: TaskMessage,
  ): Promise<void> => {
    let done = true;
    try {
      await handler(task);
    } catch (error) {
      done = false;
      log.warn({ err: error, taskId: task.taskId, attempt: task.attempt }, 'task handed back');
    }
    try {
      // Brokers from 4.3 on count only a rejected delivery as one that failed.
      await settle(seat, from, () => (done ? from.ack(message) : from.reject(message, true)));
    } finally {
      seat.busy = false;
      if (seats.every(({ busy }) => !busy)) for (const resolve of whenQuiet.splice(0)) resolve();
    }
    if (channel !== null && (!careful || listening.size === 0)) await listen(seat, channel);
  };

  /** Leaves a queue before it settles: while its one message is open the seat can get no other. */
  const settle = async (seat: Seat, from: Channel, answer: () => void): Promise<void> => {
    if (channel !== from) return;
    const type = ended ? seat.type : bestType(seat, careful ? [seat] : seats, waiting);
    if (type !== seat.type) {
      await deafen(seat, from);
      seat.type = type;
    }
    answer();
  };

  const move = async (seat: Seat, type: TaskType, on: Channel): Promise<void> => {
    await deafen(seat, on);
    // A message that came while the cancel was under way is run first; then the seat listens again.
    if (!seat.busy) seat.type = type;
    waiting[type] = Math.max(0, waiting[type] - 1);
    if (!seat.busy) await listen(seat, on);
  };

  const look = async (on: Channel): Promise<void> => {
    const [pages, files] = await Promise.all(taskTypes.map((type) => on.checkQueue(names.tasks[type])));
    waiting = { crawl_page: pages?.messageCount ?? 0, parse_file: files?.messageCount ?? 0 };
    const nothingToFear = waiting.crawl_page + waiting.parse_file === 0 && seats.every(({ busy }) => !busy);
    if (careful && nothingToFear) await openAll(on);
    for (const seat of [...listening.keys()]) {
      if (seat.busy || ended || channel !== on) continue;
      const type = bestType(seat, careful ? [seat] : seats, waiting);
      if (type !== seat.type) await move(seat, type, on);
    }
  };

  const lookAround = setInterval(() => {
    if (channel === null || looking) return;
    looking = true;
    look(channel)
      .catch(closedMeanwhile)
      .finally(() => {
        looking = false;
      });
  }, LOOK_MS);

  return {
    attach: async (next) => {
      if (ended || model === next) return;
      model = next;
      channel = null;
      listening.clear();
      const fresh = await next.createChannel();
      fresh.on('error', (error) => log.warn({ err: error }, 'task channel'));
      fresh.on('close', () => {
        if (channel !== fresh) return;
        channel = null;
        if (!ended) onBroken('the task channel was closed');
      });
      await fresh.prefetch(1);
      channel = fresh;
      careful = true;
      // Busy seats are those whose handlers outlived the old connection: they follow when they are done.
      const first = seats.find(({ busy }) => !busy);
      if (first !== undefined) await listen(first, fresh);
    },

    end: async () => {
      ended = true;
      clearInterval(lookAround);
      const on = channel;
      if (on !== null) await Promise.allSettled(seats.map((seat) => deafen(seat, on)));
      if (seats.some(({ busy }) => busy)) await new Promise<void>((resolve) => whenQuiet.push(resolve));
      channel = null;
      await on?.close().catch(closedMeanwhile);
    },
  };
};
