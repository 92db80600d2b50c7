/** Thrown if the mailbox is full. The message was not queued. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
    this.name = 'MailboxFull';
  }
}

export interface Mailbox<Message> {
  /**
   * Queues the message, and settles with its outcome. One turn runs at a time, with a batch of the queued messages. Rejects
   * at once with MailboxFull. `canWait`: no caller needs the reply soon, so the message may wait for a larger batch.
   */
  enter(message: Message, canWait?: boolean): Promise<unknown>;
  /** Number of messages that are queued or being handled. */
  readonly length: number;
  /** Resolves when the mailbox is empty. */
  settled(): Promise<unknown>;
}

interface QueuedMessage<Message> {
  message: Message;
  canWait: boolean;
  settle: (outcome: PromiseSettledResult<unknown>) => void;
}

/** Maximum delay of messages that can wait. They are task events. In the meantime, workers run other tasks. */
const GATHER_MS = 50;

interface MailboxOptions<Message> {
  capacity: number;
  /** Maximum batch size. */
  most: number;
  /** Batch size that ends the delay. */
  enough: number;
  /** Runs a turn with a batch in FIFO order; returns one outcome for each message. */
  take: (messages: Message[]) => Promise<PromiseSettledResult<unknown>[]>;
}

/** Creates a bounded FIFO queue. If a turn throws, the next one still runs. */
export function createMailbox<Message>({
  capacity,
  most,
  enough,
  take,
}: MailboxOptions<Message>): Mailbox<Message> {
  const waiting: QueuedMessage<Message>[] = [];
  let taken = 0;
  let running: Promise<void> | null = null;
  let endGathering: () => void = () => {};

  const mayGather = (): boolean => waiting.length < enough && waiting.every(({ canWait }) => canWait);

  /** Resolves after the delay, when a message arrives that cannot wait, or when the batch is large enough. */
  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function outcomesOf(batch: QueuedMessage<Message>[]): Promise<PromiseSettledResult<unknown>[]> {
    try {
      return await take(batch.map(({ message }) => message));
    } catch (reason) {
      return batch.map(() => ({ status: 'rejected', reason }));
    }
  }

  async function run(): Promise<void> {
    // Batch messages that are sent in the same tick.
    await null;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      taken = batch.length;
      const outcomes = await outcomesOf(batch);
      taken = 0;
      for (const [n, { settle }] of batch.entries()) settle(outcomes[n] as PromiseSettledResult<unknown>);
      if (waiting.length > 0 && mayGather()) await gather();
    }
    // Clear it in the same tick as the last check of the queue, so that no message is missed.
    running = null;
  }

  return {
    get length() {
      return waiting.length + taken;
    },
    settled: async () => running,
    enter(message, canWait = false) {
      if (waiting.length + taken >= capacity) return Promise.reject(new MailboxFull());
      return new Promise((resolve, reject) => {
        const settle = (outcome: PromiseSettledResult<unknown>) =>
          outcome.status === 'fulfilled' ? resolve(outcome.value) : reject(outcome.reason);
        waiting.push({ message, canWait, settle });
        running ??= run();
        if (!mayGather()) endGathering();
      });
    },
  };
}
