import type { TaskMessage } from '../../core/jobs/wire.js';

/** A task message, and how often a worker has begun it. */
export interface Delivery {
  readonly key: string;
  readonly message: TaskMessage;
  deliveries: number;
}

/** Tasks that no worker has: bounded, first come first served within an agent, round robin between agents. */
export interface Backlog {
  /** False when full. The same attempt twice is one delivery. */
  add(message: TaskMessage): boolean;
  /** Back to the front: a worker had it before. */
  putBack(delivery: Delivery): void;
  next(): Delivery | undefined;
  /** What `next` would answer. */
  peek(): Delivery | undefined;
  /** The attempt has ended: it may be added again. */
  forget(delivery: Delivery): void;
  readonly size: number;
}

/** `capacity` counts the tasks that workers have, too. */
export const createBacklog = (capacity: number): Backlog => {
  const known = new Set<string>();
  const again: Delivery[] = [];
  // Insertion order is the ring: an agent that was served goes to its end.
  const agents = new Map<string, Delivery[]>();

  const takeFresh = (): Delivery | undefined => {
    for (const [agentId, lane] of agents) {
      const delivery = lane.shift();
      agents.delete(agentId);
      if (lane.length > 0) agents.set(agentId, lane);
      return delivery;
    }
    return undefined;
  };

  const firstFresh = (): Delivery | undefined => {
    for (const lane of agents.values()) return lane[0];
    return undefined;
  };

  let size = 0;
  return {
    add: (message) => {
      const key = `${message.taskId}.${message.attempt}`;
      if (known.has(key)) return true;
      if (known.size >= capacity) return false;
      known.add(key);
      size += 1;
      const delivery: Delivery = { key, message, deliveries: 0 };
      const lane = agents.get(message.agentId);
      if (lane === undefined) agents.set(message.agentId, [delivery]);
      else lane.push(delivery);
      return true;
    },
    putBack: (delivery) => {
      size += 1;
      again.push(delivery);
    },
    next: () => {
      const delivery = again.shift() ?? takeFresh();
      if (delivery !== undefined) size -= 1;
      return delivery;
    },
    peek: () => again[0] ?? firstFresh(),
    forget: (delivery) => void known.delete(delivery.key),
    get size() {
      return size;
    },
  };
};
