/** The message was not queued. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
    this.name = 'MailboxFull';
  }
}

export interface Mailbox<Turn> {
  /**
   * Queues the message; settles with its outcome. One turn runs at a time. Adjacent messages with the same
   * turn are batched. Rejects at once with MailboxFull. `canWait`: no caller needs the reply soon, so the
   * message may be delayed between two turns to form a larger batch.
   */
  enter(message: unknown, turn: Turn, canWait?: boolean): Promise<unknown>;
  /** Messages that are queued or being handled. */
  readonly length: number;
  /** Resolves when the mailbox is empty. */
  settled(): Promise<unknown>;
}

interface QueuedMessage<Turn> {
  message: unknown;
  turn: Turn;
  canWait: boolean;
  settle: (outcome: PromiseSettledResult<unknown>) => void;
}

/** Maximum delay of messages that can wait. They are task events, and other tasks keep the workers busy. */
const GATHER_MS = 50;

export interface MailboxOptions<Turn> {
  capacity: number;
  /** Maximum batch size. */
  most: number;
  /** Batch size that ends the delay. */
  enough: number;
  /** Runs the turn with a batch in FIFO order; returns one outcome for each message. */
  take: (turn: Turn, messages: unknown[]) => Promise<PromiseSettledResult<unknown>[]>;
}

/** Creates a bounded FIFO queue. If a turn throws, the next one still runs. */
export function createMailbox<Turn>({ capacity, most, enough, take }: MailboxOptions<Turn>): Mailbox<Turn> {
  const waiting: QueuedMessage<Turn>[] = [];
  let taken = 0;
  let running: Promise<void> | null = null;
  let endGathering: () => void = () => {};

  const mayGather = (): boolean => waiting.length < enough && waiting.every(({ canWait }) => canWait);

  /** Resolves after the delay, or as soon as a message arrives that cannot wait. */
  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Removes the next batch: the first message and those after it with the same turn. */
  function next(): QueuedMessage<Turn>[] {
    const first = waiting[0];
    const others = waiting.findIndex(({ turn }, n) => n === most || turn !== first?.turn);
    return waiting.splice(0, others === -1 ? waiting.length : others);
  }

  async function outcomesOf(
    batch: QueuedMessage<Turn>[],
    turn: Turn,
  ): Promise<PromiseSettledResult<unknown>[]> {
    try {
      return await take(
        turn,
        batch.map(({ message }) => message),
      );
    } catch (reason) {
      return batch.map(() => ({ status: 'rejected', reason }));
    }
  }

  async function run(): Promise<void> {
    // Batch messages that are sent in the same tick.
    await null;
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const batch = next();
      taken = batch.length;
      const outcomes = await outcomesOf(batch, first.turn);
      taken = 0;
      for (const [n, { settle }] of batch.entries()) settle(outcomes[n] as PromiseSettledResult<unknown>);
      if (waiting.length > 0 && mayGather()) await gather();
    }
    // In the same tick as the last check of the queue, so that no message is missed.
    running = null;
  }

  return {
    get length() {
      return waiting.length + taken;
    },
    settled: async () => running,
    enter(message, turn, canWait = false) {
      if (waiting.length + taken >= capacity) return Promise.reject(new MailboxFull());
      return new Promise((resolve, reject) => {
        const settle = (outcome: PromiseSettledResult<unknown>) =>
          outcome.status === 'fulfilled' ? resolve(outcome.value) : reject(outcome.reason);
        waiting.push({ message, turn, canWait, settle });
        running ??= run();
        if (!mayGather()) endGathering();
      });
    },
  };
}
