import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConfirmChannel, type ConsumeMessage, connect, type Options } from 'amqplib';
import { type QueueNames, queueNames } from '../../adapters/rabbitmq/topology.js';
import type { Installation } from './installation.js';
import type { Random } from './random.js';
import type { Tally } from './tally.js';

/** Disturbs the queues with duplicates and invalid messages. */
export interface Noise {
  stop(): Promise<void>;
}

const AGAIN_MS = 500;
const GARBAGE_EVERY_MS = 1500;
const TASKS_DOUBLED = 0.1;
const mark = { 'x-siege-copy': true };

const isCopy = (headers: Record<string, unknown> | undefined): boolean => headers?.['x-siege-copy'] === true;

/** Invalid bodies that consumers must survive. None names an existing attempt. */
function garbage(random: Random): Buffer {
  const nobody = '00000000-0000-7000-8000-000000000000';
  const event = { v: 1, taskId: nobody, jobId: 1, agentId: nobody, attempt: 1, worker: 'nobody' };
  return random.pick<() => Buffer>([
    () => randomBytes(random.between(0, 2000)),
    () => Buffer.from('{"v":1'),
    () => Buffer.from('null'),
    () => Buffer.from('[]'),
    () => Buffer.from('{"v":99,"taskId":"x","jobId":1,"agentId":"y","attempt":1,"kind":"started"}'),
    () => Buffer.from(`"${'x'.repeat(200_000)}"`),
    () => Buffer.from(JSON.stringify({ ...event, kind: 'started' })),
    () => Buffer.from(JSON.stringify({ ...event, kind: 'succeeded', outcome: { kind: 'nonsense' } })),
    () =>
      Buffer.from(
        JSON.stringify({ ...event, kind: 'succeeded', outcome: { kind: 'stored', ref: 'results/none' } }),
      ),
    () => Buffer.from(JSON.stringify({ ...event, attempt: -1, kind: 'dead' })),
    () => Buffer.from(JSON.stringify({ ...event, type: 'mine_coins', payload: {}, requestId: null })),
  ])();
}

/**
 * `tracing`: the broker sends a copy of every published message, so every event is duplicated. Without it, consumes as
 * one more reader of the events, and republishes each received one twice.
 */
export function makeNoise(
  { amqpUrl, prefix }: Installation,
  { tracing, random, tally }: { tracing: boolean; random: Random; tally: Tally },
): Noise {
  const names = queueNames(prefix);
  let over = false;
  let close: () => Promise<unknown> = async () => {};

  const live = async (): Promise<void> => {
    const connection = await connect(amqpUrl, { timeout: 5000 });
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    connection.on('error', () => undefined);
    close = () => connection.close();
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    await (tracing ? doubleAll(channel, names) : doubleSome(channel, names));
    while (!over && (await Promise.race([closed.then(() => false), sleep(GARBAGE_EVERY_MS, true)]))) {
      const queue = random.pick([names.events, names.dead, ...Object.values(names.tasks)]);
      channel.sendToQueue(queue, garbage(random), { persistent: true });
      tally.add('noise: garbage messages');
    }
  };

  const again = (channel: ConfirmChannel, queue: string, body: Buffer, headers: object): void => {
    channel.sendToQueue(queue, body, { persistent: true, headers: { ...headers, ...mark } });
  };

  async function doubleAll(channel: ConfirmChannel, { events, tasks }: QueueNames): Promise<void> {
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, 'amq.rabbitmq.trace', 'publish.#');
    const tasksToo = new Set(Object.values(tasks));
    const copy = (message: ConsumeMessage | null): void => {
      if (message === null) return;
      const traced = message.properties.headers as {
        routing_keys?: string[];
        properties?: { headers?: Record<string, unknown> };
      };
      const [target = ''] = traced.routing_keys ?? [];
      const headers = traced.properties?.headers;
      // Invalid messages have no headers, and duplicates are marked.
      if (headers === undefined || isCopy(headers)) return;
      if (target === events) {
        again(channel, target, message.content, headers);
        tally.add('noise: events delivered twice');
      } else if (tasksToo.has(target) && random.chance(TASKS_DOUBLED)) {
        again(channel, target, message.content, headers);
        tally.add('noise: tasks delivered twice');
      }
    };
    await channel.consume(queue, copy, { noAck: true });
  }

  async function doubleSome(channel: ConfirmChannel, { events }: QueueNames): Promise<void> {
    await channel.prefetch(20);
    const passOn = async (message: ConsumeMessage): Promise<void> => {
      const headers = (message.properties.headers ?? {}) as Options.Publish['headers'];
      again(channel, events, message.content, { ...headers });
      if (!isCopy(headers)) {
        again(channel, events, message.content, { ...headers });
        tally.add('noise: events delivered twice');
      }
      await channel.waitForConfirms();
      channel.ack(message);
    };
    await channel.consume(events, (message) => {
      if (message !== null) passOn(message).catch(() => undefined);
    });
  }

  const running = (async () => {
    while (!over) {
      await live().catch(() => undefined);
      await sleep(AGAIN_MS);
    }
  })();
  return {
    async stop() {
      over = true;
      await close().catch(() => undefined);
      await running;
    },
  };
}
