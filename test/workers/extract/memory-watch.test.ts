import t from 'tap';
import type { TaskFailure } from '../../../core/jobs/failures.js';
import { createMemoryWatch } from '../../../workers/extract/memory-watch.js';

const MB = 1024 * 1024;

/** A watch over a process whose memory the test sets. */
function watched() {
  const memory = { bytes: 100 * MB };
  const watch = createMemoryWatch({
    threads: () => 1,
    perThread: 50 * MB,
    perTask: 100 * MB,
    everyMs: 5,
    settleMs: 50,
    resident: () => memory.bytes,
  });
  return { memory, watch };
}

t.test('a task that runs alone when the memory is used up fails for good', async (t) => {
  const { memory, watch } = watched();
  const stopped = new Promise<TaskFailure>((resolve) => {
    void watch.enter(resolve);
  });
  memory.bytes = 251 * MB;
  t.match((await stopped).failure, { code: 'PARSE_MEMORY', verdict: 'give-up' });
});

t.test('of several tasks each is stopped, and may be tried again', async (t) => {
  const { memory, watch } = watched();
  const stopped = [0, 1].map(() => new Promise<TaskFailure>((resolve) => void watch.enter(resolve)));
  memory.bytes = 351 * MB;
  for (const { failure } of await Promise.all(stopped)) {
    t.match(failure, { code: 'PARSE_MEMORY', verdict: 'retry' });
  }
});

t.test('the next task waits until the memory has been given back, and is not blamed for it', async (t) => {
  const { memory, watch } = watched();
  const stopped = await new Promise<() => void>((resolve) => {
    void watch
      .enter(() => resolve(leave))
      .then((left) => {
        leave = left;
      });
    let leave = () => {};
    memory.bytes = 300 * MB;
  });
  stopped();
  let isBlamed = false;
  const entered = watch.enter(() => {
    isBlamed = true;
  });
  memory.bytes = 120 * MB;
  (await entered)();
  t.notOk(isBlamed);
});

t.test('memory that is never given back does not stop the work', async (t) => {
  const { memory, watch } = watched();
  memory.bytes = 900 * MB;
  let isBlamed = false;
  const leave = await watch.enter(() => {
    isBlamed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 30));
  t.notOk(isBlamed);
  leave();
});
