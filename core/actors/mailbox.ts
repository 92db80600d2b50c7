/** The line before an actor is full: nothing was queued, nothing will happen. */
export class MailboxFull extends Error {
  constructor() {
    super('the mailbox is full');
    this.name = 'MailboxFull';
  }
}

export interface Mailbox {
  /** Runs `turn` after all that stand before it; one turn at a time. Rejects at once with MailboxFull. */
  enter<T>(turn: () => Promise<T>): Promise<T>;
  /** Turns that wait or run. */
  readonly length: number;
  /** Resolves when those that wait or run now have ended. */
  settled(): Promise<unknown>;
}

/** A bounded first-in, first-out line in which one turn runs at a time. A turn that throws does not stop the next. */
export function createMailbox(capacity: number): Mailbox {
  let length = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    get length() {
      return length;
    },
    settled: () => last,
    enter(turn) {
      if (length >= capacity) return Promise.reject(new MailboxFull());
      length += 1;
      const mine = last.then(turn).finally(() => {
        length -= 1;
      });
      last = mine.catch(() => {});
      return mine;
    },
  };
}
