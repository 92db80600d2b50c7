import { ownerOf } from '../../core/fairness/owner.js';
import { createFairLine } from '../../core/tasks/fair-line.js';
import { byTaskType, type TaskType } from '../../core/tasks/task-types.js';
import type { TaskMessage } from '../../core/tasks/wire.js';

/** A task message, and how often a worker has begun it. */
export interface Delivery {
  readonly key: string;
  readonly message: TaskMessage;
  timesBegun: number;
}

/**
 * Tasks that no worker has. Bounded; workspaces take turns, and so do the agents of each. Each type of task
 * has a line of its own.
 */
export interface Backlog {
  /** False when full. The same attempt twice is one delivery. */
  add(message: TaskMessage): boolean;
  /** Back to the front: a worker had it before. */
  putBack(delivery: Delivery): void;
  /** The next one of these types. */
  next(types: readonly TaskType[]): Delivery | undefined;
  /** What `next` would return. */
  peek(types: readonly TaskType[]): Delivery | undefined;
  /** The attempt has ended: it may be added again. */
  forget(delivery: Delivery): void;
  readonly size: number;
}

/** `capacity` counts the tasks that workers have, too. */
export const createBacklog = (capacity: number): Backlog => {
  const known = new Set<string>();
  const again: Delivery[] = [];
  const lines = byTaskType(() => createFairLine<Delivery>());

  const firstAgain = (types: readonly TaskType[]): number =>
    again.findIndex(({ message }) => types.includes(message.type));

  return {
    add: (message) => {
      const key = `${message.taskId}.${message.attempt}`;
      if (known.has(key)) return true;
      if (known.size >= capacity) return false;
      known.add(key);
      lines[message.type].add({ key, message, timesBegun: 0 }, ownerOf(message));
      return true;
    },
    putBack: (delivery) => void again.push(delivery),
    next: (types) => {
      const at = firstAgain(types);
      if (at >= 0) return again.splice(at, 1)[0];
      const type = types.find((each) => lines[each].size > 0);
      return type === undefined ? undefined : lines[type].take();
    },
    peek: (types) => {
      const at = firstAgain(types);
      if (at >= 0) return again[at];
      const type = types.find((each) => lines[each].size > 0);
      return type === undefined ? undefined : lines[type].peek();
    },
    forget: (delivery) => void known.delete(delivery.key),
    get size() {
      return Object.values(lines).reduce((sum, line) => sum + line.size, again.length);
    },
  };
};
