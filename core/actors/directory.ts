import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../ports/clock.port.js';
import type { PassivationReason } from './actor-lifecycle.js';
import { createMailbox, type Mailbox } from './mailbox.js';

/** State of one agent, cached between turns. It can be dropped at any time. */
export interface Activation<State> {
  readonly id: string;
  /** State after the last turn. If null, the next turn reads the store. */
  remembered: State | null;
}

export interface Directory<Message> {
  /**
   * Puts the message into the actor's mailbox, and activates the actor if necessary. Queued messages are batched. `canWait`
   * delays a message briefly so that others can join its batch. Rejects with MailboxFull, Reentrant (an actor sent a
   * message to itself), Stopped, or the error of the message.
   */
  turn(id: string, message: Message, canWait?: boolean): Promise<unknown>;
  /** Drops the cached state. Queued messages are still handled. */
  passivate(id: string, reason: PassivationReason): void;
  /** Evicts activations without a message for `idleMs`. */
  passivateIdle(): void;
  /** Rejects new messages; resolves when every mailbox is empty. */
  stop(): Promise<void>;
  readonly size: number;
  /** Number of messages of all actors that are queued or being handled. */
  readonly messages: number;
}

/** An actor that awaits its own reply during its turn would deadlock. */
export class Reentrant extends Error {
  constructor(id: string) {
    super(`actor ${id} sent a message to itself during its own turn`);
    this.name = 'Reentrant';
  }
}

export class Stopped extends Error {
  constructor() {
    super('the service is shutting down');
    this.name = 'Stopped';
  }
}

export interface DirectoryOptions {
  maxActive: number;
  idleMs: number;
  mailboxCapacity: number;
  /** Batch size from which messages that can wait are handled without delay. */
  enoughTogether?: number;
  clock: Clock;
  onPassivate?: (id: string, reason: PassivationReason) => void;
}

/** Maximum batch size. A larger batch would delay other agents of the workspace that wait for its commit. */
const MOST_TOGETHER = 64;
const ENOUGH_TOGETHER = 16;

interface Resident<State, Message> {
  activation: Activation<State>;
  mailbox: Mailbox<Message>;
  usedAtMs: number;
}

/**
 * Creates the actors of this process: an LRU cache of activations, each of which runs one turn at a time. `take` handles
 * a batch of messages and returns one outcome for each.
 */
export function createDirectory<State, Message>(
  options: DirectoryOptions,
  take: (activation: Activation<State>, messages: Message[]) => Promise<PromiseSettledResult<unknown>[]>,
): Directory<Message> {
  // Least recently used first.
  const residents = new Map<string, Resident<State, Message>>();
  const current = new AsyncLocalStorage<{ id: string; over: boolean }>();
  let stopped = false;

  function newResident(id: string, usedAtMs: number): Resident<State, Message> {
    const activation: Activation<State> = { id, remembered: null };
    const mailbox = createMailbox<Message>({
      capacity: options.mailboxCapacity,
      most: MOST_TOGETHER,
      enough: Math.min(MOST_TOGETHER, options.enoughTogether ?? ENOUGH_TOGETHER),
      take: (messages) => runTurn(activation, messages),
    });
    return { activation, mailbox, usedAtMs };
  }

  function wake(id: string): Resident<State, Message> {
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
    // Queued messages still need their mailbox.
    if (resident.mailbox.length === 0) residents.delete(id);
    options.onPassivate?.(id, reason);
  }

  async function runTurn(
    activation: Activation<State>,
    messages: Message[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    const turnOf = { id: activation.id, over: false };
    try {
      return await current.run(turnOf, () => take(activation, messages));
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
    turn(id, message, canWait) {
      if (stopped) return Promise.reject(new Stopped());
      const mine = current.getStore();
      // `over`: a socket or child process that was opened during a turn keeps its async context after the turn.
      if (mine && !mine.over && mine.id === id) return Promise.reject(new Reentrant(id));
      const resident = wake(id);
      makeRoom();
      return resident.mailbox.enter(message, canWait);
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
      // An enabled async context costs time for every new promise of the process.
      current.disable();
    },
  };
}
