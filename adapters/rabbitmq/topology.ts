import type { ChannelModel, Options } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import type { QueueClaim } from '../../core/ports/plugin.port.js';
import { byTaskType, type TaskType, taskTypeNames, taskTypes } from '../../core/tasks/task-types.js';
import { WIRE_VERSION } from '../../core/tasks/wire.js';
import { shortId } from '../../core/workspaces/installation-id.js';

/** Names of our queues. All are reached through the default exchange, so that the name is all there is to know. */
export interface QueueNames {
  tasks: Record<TaskType, string>;
  events: string;
  /** Messages of several events each, from workers of the previous version. */
  batches: string;
  dead: string;
  /** Stays empty; its arguments say which installation has claimed the prefix. */
  claim: string;
}

/** The version is that of the wire format: processes of two versions never read each other's messages. */
export const queueNames = (prefix: string): QueueNames => {
  const named = (what: string) => `${prefix}.${what}.v${WIRE_VERSION}`;
  return {
    tasks: byTaskType((type) => named(taskTypes[type].queue)),
    events: named('events'),
    batches: named('event-batches'),
    dead: named('dead'),
    claim: `${prefix}.installation`,
  };
};

/**
 * Events and dead letters must not be lost however often they are returned. Brokers from 4.0 on drop them
 * after 20 returns by default; 3.x has no word for "never".
 */
const NEVER = 1_000_000_000;

const quorum = (deliveryLimit: number, more: Record<string, unknown> = {}): Options.AssertQueue => ({
  durable: true,
  arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deliveryLimit, ...more },
});

/**
 * A queue is declared again only with the same arguments, so the first installation to declare this one has the prefix. RabbitMQ
 * compares just the arguments that it knows, so the id stands where messages would be dead-lettered to.
 */
const claimFor = (installation: string): Options.AssertQueue =>
  quorum(NEVER, { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': shortId(installation) });

/** Rejects while another installation has the prefix, unless this one `adopts` it. */
const claimPrefix = async (
  model: ChannelModel,
  { claim }: QueueNames,
  { installation, adopts }: QueueClaim,
): Promise<void> => {
  const arguments_ = claimFor(await installation());
  await onChannel(model, async (channel) => {
    if (adopts) await channel.deleteQueue(claim);
    await channel.assertQueue(claim, arguments_);
  });
};

const declarations = (names: QueueNames, maxDeliveries: number): [string, Options.AssertQueue][] => [
  [names.dead, quorum(NEVER)],
  [names.events, quorum(NEVER)],
  [names.batches, quorum(NEVER)],
  ...taskTypeNames.map((type): [string, Options.AssertQueue] => [
    names.tasks[type],
    // The limit counts returns, not deliveries. At-least-once dead-lettering demands reject-publish.
    quorum(maxDeliveries - 1, {
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': names.dead,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    }),
  ]),
];

const isLimitChange = (error: unknown): boolean =>
  error instanceof Error && /PRECONDITION_FAILED - inequivalent arg 'x-delivery-limit'/.test(error.message);

/**
 * Claims the prefix and declares all queues; rejects when one is there with other arguments. Each has its own channel,
 * as a refusal closes it.
 */
export const declareQueues = async (
  model: ChannelModel,
  options: { names: QueueNames; claim?: QueueClaim | undefined; maxDeliveries: number; log: Log },
): Promise<void> => {
  if (options.claim) await claimPrefix(model, options.names, options.claim);
  for (const [queue, arguments_] of declarations(options.names, options.maxDeliveries)) {
    try {
      await onChannel(model, (channel) => channel.assertQueue(queue, arguments_));
    } catch (error) {
      if (!isLimitChange(error)) throw error;
      // The limit of a queue is fixed for its life: going on with the old one beats standing still.
      options.log.warn(
        { queue },
        'the queue keeps its old delivery limit: delete it while it is empty to change it',
      );
    }
  }
};

/** A channel for a few calls; it is closed afterwards, whatever happens. */
export const onChannel = async <T>(
  model: ChannelModel,
  work: (channel: Awaited<ReturnType<ChannelModel['createChannel']>>) => Promise<T>,
): Promise<T> => {
  const channel = await model.createChannel();
  let closed = false;
  // What closes the channel rejects the call that caused it.
  channel.on('error', () => undefined);
  channel.on('close', () => {
    closed = true;
  });
  try {
    return await work(channel);
  } finally {
    if (!closed) await channel.close();
  }
};
