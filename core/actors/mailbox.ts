/** The line before an actor is full: nothing was queued, nothing will happen. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
    this.name = 'MailboxFull';
  }
}

export interface Mailbox<Turn> {
  /**
   * Queues the message; settles as the turn says of this message. One turn runs at a time. Neighbours in the
   * queue that wait for the same turn are taken together. Rejects at once with MailboxFull. `canWait`: nobody
   * waits for the answer, so between two turns the message may wait a moment for others to join it.
   */
  enter(message: unknown, turn: Turn, canWait?: boolean): Promise<unknown>;
  /** Messages that wait or are being taken. */
  readonly length: number;
  /** Resolves when those that wait or are being taken now have ended. */
  settled(): Promise<unknown>;
}

interface Letter<Turn> {
  message: unknown;
  turn: Turn;
  canWait: boolean;
  settle: (outcome: PromiseSettledResult<unknown>) => void;
}

/** How long messages that can wait do so at most. Only the next page waits for them, and other pages are at hand. */
const GATHER_MS = 50;

export interface MailboxOptions<Turn> {
  capacity: number;
  /** Messages that one turn takes at most. */
  most: number;
  /** When so many wait, they wait for no others. */
  enough: number;
  /** Has the turn take the messages, in their order; gives one outcome for each. */
  take: (turn: Turn, messages: unknown[]) => Promise<PromiseSettledResult<unknown>[]>;
}

/** A bounded first-in, first-out queue in which one turn runs at a time. A turn that throws does not stop the next. */
export function createMailbox<Turn>({ capacity, most, enough, take }: MailboxOptions<Turn>): Mailbox<Turn> {
  const waiting: Letter<Turn>[] = [];
  let taken = 0;
  let running: Promise<void> | null = null;
  let endGathering: () => void = () => {};

  const mayGather = (): boolean => waiting.length < enough && waiting.every(({ canWait }) => canWait);

  /** Resolves after a moment, or as soon as somebody cannot wait. */
  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** The first in line, and those behind it that go the same way. */
  function next(): Letter<Turn>[] {
    const first = waiting[0];
    const others = waiting.findIndex(({ turn }, n) => n === most || turn !== first?.turn);
    return waiting.splice(0, others === -1 ? waiting.length : others);
  }

  async function outcomesOf(letters: Letter<Turn>[], turn: Turn): Promise<PromiseSettledResult<unknown>[]> {
    try {
      return await take(
        turn,
        letters.map(({ message }) => message),
      );
    } catch (reason) {
      return letters.map(() => ({ status: 'rejected', reason }));
    }
  }

  async function run(): Promise<void> {
    // Messages of the same moment join the first turn.
    await null;
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const letters = next();
      taken = letters.length;
      const outcomes = await outcomesOf(letters, first.turn);
      taken = 0;
      for (const [n, { settle }] of letters.entries()) settle(outcomes[n] as PromiseSettledResult<unknown>);
      if (waiting.length > 0 && mayGather()) await gather();
    }
    // With the last look at the line, so that nobody comes in between.
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
