import type { ChannelModel, Options } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import type { QueueClaim } from '../../core/ports/plugin.port.js';
import { byTaskType, type TaskType, taskTypeNames } from '../../core/tasks/task-types.js';
import { WIRE_VERSION } from '../../core/tasks/wire.js';
import { shortId } from '../../core/workspaces/installation-id.js';

/** Names of the queues. All messages are sent through the default exchange. */
export interface QueueNames {
  tasks: Record<TaskType, string>;
  events: string;
  dead: string;
  /** Queue that is always empty. Its arguments record which installation uses the prefix. */
  claim: string;
}

/**
 * Returns the names, which contain the version of the wire format, so that processes of different versions never read
 * each other's messages.
 */
export const queueNames = (prefix: string): QueueNames => {
  const named = (what: string) => `${prefix}.${what}.v${WIRE_VERSION}`;
  return {
    tasks: byTaskType((type) => named(`tasks.${type}`)),
    events: named('events'),
    dead: named('dead'),
    claim: `${prefix}.installation`,
  };
};

/**
 * Delivery limit of events and dead letters, which must survive any number of returns. Brokers from 4.0 on drop
 * messages after 20 returns by default, and 3.x has no value for "unlimited".
 */
const NEVER = 1_000_000_000;

const quorum = (deliveryLimit: number, more: Record<string, unknown> = {}): Options.AssertQueue => ({
  durable: true,
  arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deliveryLimit, ...more },
});

/**
 * Arguments of the claim queue. A queue can only be redeclared with equal arguments, so the first installation to
 * declare this queue owns the prefix. The id is stored as the dead-letter routing key, because RabbitMQ compares only
 * arguments that it knows.
 */
const claimFor = (installation: string): Options.AssertQueue =>
  quorum(NEVER, { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': shortId(installation) });

/** Claims the prefix. Rejects if another installation owns it, unless this one `adopts` it. */
const claimPrefix = async (
  model: ChannelModel,
  { claim }: QueueNames,
  { installation, adopts }: QueueClaim,
): Promise<void> => {
  const arguments_ = claimFor(await installation());
  const declare = () => onChannel(model, (channel) => channel.assertQueue(claim, arguments_));
  try {
    await declare();
  } catch (error) {
    if (!adopts) throw error;
    await onChannel(model, (channel) => channel.deleteQueue(claim));
    // RabbitMQ may close the connection if the deletion is still in progress. The next connection succeeds.
    await declare();
  }
};

const declarations = (names: QueueNames, maxDeliveries: number): [string, Options.AssertQueue][] => [
  [names.dead, quorum(NEVER)],
  [names.events, quorum(NEVER)],
  ...taskTypeNames.map((type): [string, Options.AssertQueue] => [
    names.tasks[type],
    // The limit counts returns, not deliveries, so it is one less. At-least-once dead-lettering requires
    // reject-publish.
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

/** Claims the prefix and declares all queues, each on its own channel, because a refusal closes the channel. */
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
      // The limit of a queue cannot be changed, and keeping the old limit is better than refusing to start.
      options.log.warn(
        { queue },
        'the queue keeps its old delivery limit; to change the limit, delete the queue while it is empty',
      );
    }
  }
};

/** Runs `work` with a channel of its own, and closes the channel afterwards. */
export const onChannel = async <T>(
  model: ChannelModel,
  work: (channel: Awaited<ReturnType<ChannelModel['createChannel']>>) => Promise<T>,
): Promise<T> => {
  const channel = await model.createChannel();
  let closed = false;
  // An error that closes the channel rejects the call that caused it.
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
