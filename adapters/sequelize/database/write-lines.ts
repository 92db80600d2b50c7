import { StoreBusy } from '../../../core/ports/store/store-errors.js';

/** The lines before the connections that write: one for each workspace, and one for the service itself. */
export interface WriteLines {
  /**
   * Runs `work` when it is its turn, and gives back what it gives. Rejects with StoreBusy, without having
   * begun, when that takes too long.
   */
  enter<T>(who: string, work: () => Promise<T>): Promise<T>;
}

interface Line {
  waiting: (() => void)[];
  seated: number;
}

/**
 * Lets `seats` in at once, one line after the other. A line may hold at most as many seats as are left free,
 * so whoever waits for a lock of its own leaves room for the others, however many they are.
 */
export function createWriteLines({ seats, patienceMs }: { seats: number; patienceMs: number }): WriteLines {
  // In the order of service: who was let in goes behind all others.
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

  /** Resolves with a seat taken. */
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
