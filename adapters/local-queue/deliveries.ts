import { targetOf } from '../../core/tasks/task-ids.js';
import { byTaskType, taskTypeNames } from '../../core/tasks/task-types.js';
import { type TaskEvent, type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';
import { createBacklog, type Delivery } from './backlog.js';

/** Which task may run when, and how often: what the worker host has, and what still waits for it. */
export interface Deliveries {
  /** False when full. */
  add(message: TaskMessage): boolean;
  /**
   * The next task for a host that takes so many of each type; undefined when it should get none now.
   * `id` names the delivery.
   */
  take(slots: number): { id: number; message: TaskMessage } | undefined;
  /** The handler runs: the delivery counts from here on. */
  began(id: number): void;
  done(id: number): void;
  /** Not done: the same attempt goes back to the front or, when it has had its deliveries, ends as a dead letter. */
  handBack(id: number, why: string): void;
  handBackAll(why: string): void;
  readonly waiting: number;
  readonly running: number;
}

export const createDeliveries = (options: {
  capacity: number;
  maxDeliveries: number;
  onDead: (event: TaskEvent) => void;
}): Deliveries => {
  const backlog = createBacklog(options.capacity);
  const running = new Map<number, Delivery>();
  const runningOf = byTaskType(() => 0);
  let lastId = 0;
  /** The delivery that nothing may join. */
  let alone: number | null = null;

  /** The last delivery of an attempt runs alone, so that a task that kills its worker takes no other down with it. */
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
      backlog.putBack(delivery);
    } else {
      backlog.forget(delivery);
      deadLetter(delivery, why);
    }
  };

  return {
    add: (message) => backlog.add(message),
    take: (slots) => {
      const types = taskTypeNames.filter((type) => runningOf[type] < slots);
      const candidate = backlog.peek(types);
      if (candidate === undefined || alone !== null) return undefined;
      const wantsAlone = isLastChance(candidate);
      if (wantsAlone && running.size > 0) return undefined;
      backlog.next(types);
      lastId += 1;
      if (wantsAlone) alone = lastId;
      running.set(lastId, candidate);
      runningOf[candidate.message.type] += 1;
      return { id: lastId, message: candidate.message };
    },
    began: (id) => {
      const delivery = running.get(id);
      if (delivery !== undefined) delivery.timesBegun += 1;
    },
    done: (id) => {
      const delivery = remove(id);
      if (delivery !== undefined) backlog.forget(delivery);
    },
    handBack,
    handBackAll: (why) => {
      for (const id of [...running.keys()]) handBack(id, why);
    },
    get waiting() {
      return backlog.size;
    },
    get running() {
      return running.size;
    },
  };
};
