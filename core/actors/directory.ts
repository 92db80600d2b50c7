import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../ports/clock.port.js';
import type { PassivationReason } from './actor-lifecycle.js';
import { createMailbox, type Mailbox } from './mailbox.js';

/** What one activation keeps between turns. It is a cache of the store: dropping it is always right. */
export interface Activation<State> {
  readonly id: string;
  /** As the last turn left it; null makes the next turn read the store. */
  remembered: State | null;
}

export interface Directory<State> {
  /**
   * Puts the message into the actor's mailbox, waking the actor if need be. `turn` gets it together with the
   * other messages that wait for the same `turn`. Rejects with MailboxFull, Reentrant (an actor asked
   * itself), Stopped, or what became of the message. One that `canWait` waits a moment for others to join it.
   */
  turn<M, R>(id: string, message: M, turn: ActorTurn<State, M, R>, canWait?: boolean): Promise<R>;
  /** Forgets what the activation remembers. Turns that wait still run. */
  passivate(id: string, reason: PassivationReason): void;
  /** Lets those go that had no message for `idleMs`. */
  passivateIdle(): void;
  /** Takes no more messages; resolves when every line is empty. */
  stop(): Promise<void>;
  readonly size: number;
  /** Messages that wait or are being handled, of all actors. */
  readonly messages: number;
}

/** Takes messages that stood in line together; gives one outcome for each. */
export type ActorTurn<State, M, R> = (
  activation: Activation<State>,
  messages: M[],
) => Promise<PromiseSettledResult<R>[]>;

/** An actor that waits for its own answer inside its turn would wait for ever. */
export class Reentrant extends Error {
  constructor(id: string) {
    super(`actor ${id} asked itself during its own turn`);
    this.name = 'Reentrant';
  }
}

export class Stopped extends Error {
  constructor() {
    super('the service is shutting down');
    this.name = 'Stopped';
  }
}

interface DirectoryOptions {
  maxActive: number;
  idleMs: number;
  mailboxCapacity: number;
  /** Messages that can wait do so between two turns, until so many have gathered. */
  enoughTogether?: number;
  clock: Clock;
  onPassivate?: (id: string, reason: PassivationReason) => void;
}

/** Messages that one turn takes at most: others of the workspace wait for its commit, too. */
const MOST_TOGETHER = 64;
const ENOUGH_TOGETHER = 16;

interface Resident<State> {
  activation: Activation<State>;
  mailbox: Mailbox<ActorTurn<State, never, unknown>>;
  usedAtMs: number;
}

/**
 * The actors that are awake in this process: one activation for each id, bounded in number, one turn at a time each.
 */
export function createDirectory<State>(options: DirectoryOptions): Directory<State> {
  // Map order is order of use: the first is the least recently used.
  const residents = new Map<string, Resident<State>>();
  const current = new AsyncLocalStorage<{ id: string; over: boolean }>();
  let stopped = false;

  function newResident(id: string, usedAtMs: number): Resident<State> {
    const activation: Activation<State> = { id, remembered: null };
    const mailbox = createMailbox<ActorTurn<State, never, unknown>>({
      capacity: options.mailboxCapacity,
      most: MOST_TOGETHER,
      enough: Math.min(MOST_TOGETHER, options.enoughTogether ?? ENOUGH_TOGETHER),
      take: (turn, messages) => take(activation, turn, messages),
    });
    return { activation, mailbox, usedAtMs };
  }

  function wake(id: string): Resident<State> {
    const usedAtMs = options.clock.now();
    const resident = residents.get(id) ?? newResident(id, usedAtMs);
    residents.delete(id);
    residents.set(id, resident);
    resident.usedAtMs = usedAtMs;
    return resident;
  }

  function passivate(id: string, reason: PassivationReason): void {
    const resident = residents.get(id);
    if (!resident) return;
    resident.activation.remembered = null;
    // Waiting messages still need their mailbox; without state it costs next to nothing.
    if (resident.mailbox.length === 0) residents.delete(id);
    options.onPassivate?.(id, reason);
  }

  /** One turn of the actor, which knows whose it is. */
  async function take(
    activation: Activation<State>,
    turn: ActorTurn<State, never, unknown>,
    messages: unknown[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    const turnOf = { id: activation.id, over: false };
    try {
      return await current.run(turnOf, () => turn(activation, messages as never[]));
    } finally {
      turnOf.over = true;
    }
  }

  function makeRoom(): void {
    if (residents.size <= options.maxActive) return;
    for (const [id, { mailbox }] of residents) {
      if (mailbox.length > 0) continue;
      passivate(id, 'crowded');
      if (residents.size <= options.maxActive) return;
    }
  }

  return {
    get size() {
      return residents.size;
    },
    get messages() {
      let sum = 0;
      for (const { mailbox } of residents.values()) sum += mailbox.length;
      return sum;
    },
    turn<M, R>(id: string, message: M, turn: ActorTurn<State, M, R>, canWait = false): Promise<R> {
      if (stopped) return Promise.reject(new Stopped());
      const mine = current.getStore();
      // A socket or child process that was opened during a turn carries its context on; that turn is over.
      if (mine && !mine.over && mine.id === id) return Promise.reject(new Reentrant(id));
      const resident = wake(id);
      makeRoom();
      return resident.mailbox.enter(message, turn, canWait) as Promise<R>;
    },
    passivate,
    passivateIdle() {
      const before = options.clock.now() - options.idleMs;
      for (const [id, { mailbox, usedAtMs }] of residents) {
        if (usedAtMs > before) return;
        if (mailbox.length === 0) passivate(id, 'idle');
      }
    },
    async stop() {
      stopped = true;
      await Promise.all([...residents.values()].map(({ mailbox }) => mailbox.settled()));
      for (const id of [...residents.keys()]) passivate(id, 'shutting-down');
    },
  };
}
