import { TaskFailure } from '../../core/jobs/failures.js';

export interface Turnstile {
  /** Resolves when there is a place, with the function that gives it back. Rejects with a failure to be tried again when `signal` aborts first. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Lets `places` in at a time, first come, first served. */
export function createTurnstile(places: number): Turnstile {
  let free = places;
  const line: (() => void)[] = [];

  const leave = (): void => {
    const next = line.shift();
    if (next) next();
    else free += 1;
  };

  return {
    async enter(signal) {
      if (free > 0) free -= 1;
      else {
        await new Promise<void>((resolve, reject) => {
          const admit = () => {
            signal.removeEventListener('abort', giveUp);
            resolve();
          };
          const giveUp = () => {
            line.splice(line.indexOf(admit), 1);
            reject(
              new TaskFailure('TASK_FAILED', {
                message: 'All threads were busy for too long. It is tried again.',
              }),
            );
          };
          signal.addEventListener('abort', giveUp, { once: true });
          line.push(admit);
        });
      }
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}
