import { ModelBusy } from '../../core/ports/model.port.js';

/** A provider's places: a bounded number of calls at a time, the others queue in order of arrival. */
export interface Seats {
  /** Takes a place in line; throws ModelBusy when the line is full. */
  enter(): { release(): void };
  /** Waits for a seat; rejects with the reason of the signal. Resolves to what gives it back. */
  sit(signal: AbortSignal): Promise<() => void>;
}

export function createSeats(provider: string, maxConcurrent: number, maxWaiting: number): Seats {
  let inside = 0;
  let seated = 0;
  const line: (() => void)[] = [];

  function stand(): void {
    const next = line.shift();
    if (next === undefined) seated -= 1;
    else next();
  }
  const once = (act: () => void): (() => void) => {
    let done = false;
    return () => {
      if (!done) act();
      done = true;
    };
  };

  return {
    enter() {
      if (inside >= maxConcurrent + maxWaiting) throw new ModelBusy(`provider ${provider} has a full line`);
      inside += 1;
      return {
        release: once(() => {
          inside -= 1;
        }),
      };
    },
    async sit(signal) {
      signal.throwIfAborted();
      if (seated < maxConcurrent) {
        seated += 1;
        return once(stand);
      }
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          line.splice(line.indexOf(take), 1);
          reject(signal.reason);
        };
        const take = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        line.push(take);
      });
      return once(stand);
    },
  };
}
