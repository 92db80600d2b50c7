import { closeHandle, type Handle, openHandle } from './handle.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** The handles that write to a file: who needs one takes it, and gives it back for the next. */
export interface Handles {
  /** Throws as `openHandle` does. */
  take(): Handle;
  /** One in the midst of a transaction is closed: nobody knows what became of it. */
  giveBack(handle: Handle): void;
  close(): void;
}

const MOST_IDLE = 4;

export function createHandles(file: string, log: WriteAheadLog): Handles {
  const idle: Handle[] = [];
  return {
    take: () => idle.pop() ?? openHandle(file, log),
    giveBack(handle) {
      if (handle.connection.isTransaction || idle.length >= MOST_IDLE) closeHandle(handle);
      else idle.push(handle);
    },
    close() {
      for (const handle of idle.splice(0)) closeHandle(handle);
    },
  };
}
