import type { Queue } from '../../../core/ports/queue.port.js';
import type { TaskEvent, TaskMessage } from '../../../core/tasks/wire.js';

/** A queue without any transport: what is measured is the worker. */
export function benchQueue(): {
  port: Queue;
  /** Resolves with the last event of each task, in no order. */
  runAll(messages: TaskMessage[]): Promise<TaskEvent[]>;
} {
  let handle: (message: TaskMessage) => Promise<void> = async () => {};
  let places = 1;
  let ends: TaskEvent[] = [];
  return {
    port: {
      capabilities: { durable: false, remoteWorkers: false },
      publish: async (messages) => messages.map(() => false),
      onEvent: async () => async () => {},
      async onTask(slots, handler) {
        places = slots;
        handle = handler;
        return async () => {};
      },
      async emit(event) {
        if (event.kind === 'succeeded' || event.kind === 'failed') ends.push(event);
      },
      depth: async () => ({ waiting: null, consumers: null }),
      health: async () => ({ ok: true }),
    },
    async runAll(messages) {
      ends = [];
      const next = messages.values();
      await Promise.all(
        Array.from({ length: places }, async () => {
          for (const message of next) await handle(message);
        }),
      );
      return ends;
    },
  };
}
