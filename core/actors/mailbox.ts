/** The line before an actor is full: nothing was queued, nothing will happen. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
    this.name = 'MailboxFull';
  }
}

export interface Mailbox<Turn> {
  /**
   * Has `turn` take the message after all that stand before it; one turn at a time. Messages that wait together for the same turn are taken
   * together. Resolves or rejects as the turn says of this message; rejects at once with MailboxFull.
   */
  enter(message: unknown, turn: Turn): Promise<unknown>;
  /** Messages that wait or are being taken. */
  readonly length: number;
  /** Resolves when those that wait or are being taken now have ended. */
  settled(): Promise<unknown>;
}

interface Letter<Turn> {
  message: unknown;
  turn: Turn;
  settle: (outcome: PromiseSettledResult<unknown>) => void;
}

export interface MailboxOptions<Turn> {
  capacity: number;
  /** Messages that one turn takes at most. */
  most: number;
  /** Has the turn take the messages, in their order; gives one outcome for each. */
  take: (turn: Turn, messages: unknown[]) => Promise<PromiseSettledResult<unknown>[]>;
}

/** A bounded first-in, first-out line in which one turn runs at a time. A turn that throws does not stop the next. */
export function createMailbox<Turn>({ capacity, most, take }: MailboxOptions<Turn>): Mailbox<Turn> {
  const waiting: Letter<Turn>[] = [];
  let taken = 0;
  let running: Promise<void> | null = null;

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
    // Who comes at the same moment comes along.
    await null;
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const letters = next();
      taken = letters.length;
      const outcomes = await outcomesOf(letters, first.turn);
      taken = 0;
      for (const [n, { settle }] of letters.entries()) settle(outcomes[n] as PromiseSettledResult<unknown>);
    }
    // With the last look at the line, so that nobody comes in between.
    running = null;
  }

  return {
    get length() {
      return waiting.length + taken;
    },
    settled: async () => running,
    enter(message, turn) {
      if (waiting.length + taken >= capacity) return Promise.reject(new MailboxFull());
      return new Promise((resolve, reject) => {
        const settle = (outcome: PromiseSettledResult<unknown>) =>
          outcome.status === 'fulfilled' ? resolve(outcome.value) : reject(outcome.reason);
        waiting.push({ message, turn, settle });
        running ??= run();
      });
    },
  };
}
