import { ownerOf } from '../../core/fairness/owner.js';
import { createRoundRobin } from '../../core/fairness/round-robin.js';
import { targetOf } from '../../core/tasks/task-ids.js';
import { byTaskType } from '../../core/tasks/task-types.js';
import { type TaskEvent, type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';

/** A task message with its number of deliveries. */
interface Delivery {
  readonly key: string;
  readonly message: TaskMessage;
  timesBegun: number;
}

export interface Deliveries {
  /**
   * Queues a task. Returns false if the queue is full. An attempt that is already queued or running is not queued
   * again.
   */
  add(message: TaskMessage): boolean;
  /**
   * Removes and returns the next task for a host that runs up to `slots` tasks of each type; undefined if no task may
   * start now. `id` identifies the delivery.
   */
  take(slots: number): { id: number; message: TaskMessage } | undefined;
  /** Counts the delivery, because the handler has started. */
  began(id: number): void;
  done(id: number): void;
  /** Returns the attempt to the front of the queue, or makes it a dead letter after its last delivery. */
  handBack(id: number, why: string): void;
  handBackAll(why: string): void;
  readonly waiting: number;
  readonly running: number;
}

export const createDeliveries = (options: {
  /** Maximum number of tasks, queued or running. */
  capacity: number;
  maxDeliveries: number;
  onDead: (event: TaskEvent) => void;
}): Deliveries => {
  const queued = createRoundRobin<Delivery>();
  /** Failed deliveries, which are retried before other tasks. */
  const returned: Delivery[] = [];
  const known = new Set<string>();
  const running = new Map<number, Delivery>();
  const runningOf = byTaskType(() => 0);
  let lastId = 0;
  /** Id of the delivery that runs alone. */
  let alone: number | null = null;

  /**
   * Returns whether this is the last delivery of an attempt. It runs alone, so that a task that crashes the worker
   * affects no other task.
   */
  const isLastChance = ({ timesBegun }: Delivery): boolean =>
    timesBegun > 0 && timesBegun >= options.maxDeliveries - 1;

  const deadLetter = ({ message, timesBegun }: Delivery, why: string): void => {
    const { taskId, jobId, agentId, attempt, requestId, traceparent } = message;
    const reason = `${why} (delivered ${timesBegun} times)`;
    options.onDead({
      v: WIRE_VERSION,
      kind: 'dead',
      ...{ taskId, jobId, agentId, attempt, requestId, target: targetOf(message) },
      ...(traceparent === undefined ? {} : { traceparent }),
      worker: 'local-queue',
      reason,
    });
  };

  const remove = (id: number): Delivery | undefined => {
    const delivery = running.get(id);
    if (delivery === undefined) return undefined;
    running.delete(id);
    runningOf[delivery.message.type] -= 1;
    if (alone === id) alone = null;
    return delivery;
  };

  const handBack = (id: number, why: string): void => {
    const delivery = remove(id);
    if (delivery === undefined) return;
    if (delivery.timesBegun < options.maxDeliveries) {
      returned.push(delivery);
    } else {
      known.delete(delivery.key);
      deadLetter(delivery, why);
    }
  };

  return {
    add: (message) => {
      const key = `${message.taskId}.${message.attempt}`;
      if (known.has(key)) return true;
      if (known.size >= options.capacity) return false;
      known.add(key);
      queued.add({ key, message, timesBegun: 0 }, ownerOf(message));
      return true;
    },
    take: (slots) => {
      if (alone !== null) return undefined;
      const hasSlot = ({ message }: Delivery): boolean => runningOf[message.type] < slots;
      const first = returned.find(hasSlot);
      const wantsAlone = first !== undefined && isLastChance(first);
      if (wantsAlone && running.size > 0) return undefined;
      const delivery = first ?? queued.take(hasSlot);
      if (delivery === undefined) return undefined;
      if (first !== undefined) returned.splice(returned.indexOf(first), 1);
      lastId += 1;
      if (wantsAlone) alone = lastId;
      running.set(lastId, delivery);
      runningOf[delivery.message.type] += 1;
      return { id: lastId, message: delivery.message };
    },
    began: (id) => {
      const delivery = running.get(id);
      if (delivery !== undefined) delivery.timesBegun += 1;
    },
    done: (id) => {
      const delivery = remove(id);
      if (delivery !== undefined) known.delete(delivery.key);
    },
    handBack,
    handBackAll: (why) => {
      for (const id of [...running.keys()]) handBack(id, why);
    },
    get waiting() {
      return queued.size + returned.length;
    },
    get running() {
      return running.size;
    },
  };
};
