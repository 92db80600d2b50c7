import { closeHandle, type Handle, openHandle } from './handle.js';
import type { WriteAheadLog } from './write-ahead-log.js';

/** Reuses writing handles. */
export interface Handles {
  /** Throws as `openHandle` does. */
  take(): Handle;
  /** Closes a handle in a transaction, because its state is unknown. */
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
