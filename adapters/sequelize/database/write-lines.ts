import { StoreBusy } from '../../../core/ports/store/store-errors.js';

/** Queues for the writing connections: one per workspace, and one for the service itself. */
export interface WriteLines {
  /** Runs `work` when a connection is free and returns its result. Rejects with StoreBusy if that takes too long. */
  enter<T>(who: string, work: () => Promise<T>): Promise<T>;
}

interface Line {
  waiting: (() => void)[];
  seated: number;
}

/**
 * Grants `seats` permits, round-robin between the queues. A queue gets another permit only while it holds fewer than
 * are free, so that a workspace whose writers wait for a lock cannot take all connections.
 */
export function createWriteLines({ seats, patienceMs }: { seats: number; patienceMs: number }): WriteLines {
  // In the order of service: a queue moves to the end when it is served.
  const lines = new Map<string, Line>();
  let free = seats;

  function letIn(): void {
    for (const [who, line] of lines) {
      if (line.seated >= free) continue;
      const next = line.waiting.shift();
      if (!next) continue;
      free -= 1;
      line.seated += 1;
      lines.delete(who);
      lines.set(who, line);
      next();
    }
  }

  function lineOf(who: string): Line {
    const line = lines.get(who) ?? { waiting: [], seated: 0 };
    lines.set(who, line);
    return line;
  }

  function leave(who: string, line: Line): void {
    free += 1;
    line.seated -= 1;
    dropEmpty(who, line);
    letIn();
  }

  function dropEmpty(who: string, { seated, waiting }: Line): void {
    if (seated === 0 && waiting.length === 0) lines.delete(who);
  }

  /** Resolves with a permit. */
  const seat = (who: string, line: Line): Promise<void> =>
    new Promise((resolve, reject) => {
      const sit = (): void => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(sit), 1);
        dropEmpty(who, line);
        reject(new StoreBusy(new Error(`no connection for writing was free within ${patienceMs} ms`)));
      }, patienceMs);
      line.waiting.push(sit);
      letIn();
    });

  return {
    async enter(who, work) {
      const line = lineOf(who);
      await seat(who, line);
      try {
        return await work();
      } finally {
        leave(who, line);
      }
    },
  };
}
