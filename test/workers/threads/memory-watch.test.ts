import { setTimeout } from 'node:timers/promises';
import type { TaskFailure } from '../../../core/tasks/failures.js';
import { createMemoryWatch, type MemoryWatch } from '../../../workers/threads/memory-watch.js';
import t from '../../support/t.js';

const MB = 1024 * 1024;

/** A watch over a process whose memory the test sets. */
function watched(more: { ceiling?: number } = {}) {
  const memory = { bytes: 100 * MB };
  const worn = { times: 0 };
  let looked = 0;
  const watch = createMemoryWatch({
    threads: () => 1,
    perThread: 50 * MB,
    perTask: 100 * MB,
    everyMs: 5,
    settleMs: 50,
    resident: () => {
      looked += 1;
      return memory.bytes;
    },
    ...more,
    onMemoryKept: () => {
      worn.times += 1;
    },
  });
  /** Resolves after this many further checks. */
  const looks = async (times: number) => {
    const enough = looked + times;
    while (looked < enough) await setTimeout(1);
  };
  return { memory, watch, worn, looks };
}

/** Resolves with the failure that stops a task, which then ends. */
const stopped = (watch: MemoryWatch) =>
  new Promise<TaskFailure>((resolve) => {
    const entered = watch.enter((failure) => {
      void entered.then((leave) => leave());
      resolve(failure);
    });
  });

t.test('a task that exhausts the memory alone fails permanently', async (t) => {
  const { memory, watch } = watched();
  const failure = stopped(watch);
  memory.bytes = 251 * MB;
  t.match((await failure).failure, { code: 'PARSE_MEMORY', verdict: 'give-up' });
});

t.test('of several tasks, each is stopped and may be retried', async (t) => {
  const { memory, watch } = watched();
  const failures = [stopped(watch), stopped(watch)];
  await Promise.resolve();
  memory.bytes = 351 * MB;
  for (const { failure } of await Promise.all(failures)) {
    t.match(failure, { code: 'PARSE_MEMORY', verdict: 'retry' });
  }
});

t.test('the next task waits until memory has been released, and is not blamed', async (t) => {
  const { memory, watch } = watched();
  const failure = stopped(watch);
  memory.bytes = 300 * MB;
  await failure;
  let isBlamed = false;
  const entered = watch.enter(() => {
    isBlamed = true;
  });
  memory.bytes = 120 * MB;
  (await entered)();
  t.notOk(isBlamed);
});

t.test('memory that is never released does not stop the work', async (t) => {
  const { memory, watch, looks } = watched();
  memory.bytes = 900 * MB;
  let isBlamed = false;
  const leave = await watch.enter(() => {
    isBlamed = true;
  });
  memory.bytes = 940 * MB;
  await looks(2);
  t.notOk(isBlamed);
  leave();
});

t.test('after several tasks were stopped, that many run one at a time', async (t) => {
  const { memory, watch } = watched();
  const failures = [stopped(watch), stopped(watch)];
  await Promise.resolve();
  memory.bytes = 351 * MB;
  await Promise.all(failures);
  memory.bytes = 110 * MB;
  const leaveFirst = await watch.enter(() => {});
  let isIn = false;
  const second = watch
    .enter(() => {})
    .then((leave) => {
      isIn = true;
      return leave;
    });
  await setTimeout(30);
  t.notOk(isIn, 'not beside the first');
  leaveFirst();
  const leaveSecond = await second;
  const leaveThird = await watch.enter(() => {});
  leaveSecond();
  leaveThird();
});

t.test('a container is never filled to its limit, whatever the setting', async (t) => {
  const { memory, watch } = watched({ ceiling: 200 * MB });
  const failure = stopped(watch);
  memory.bytes = 201 * MB;
  t.match((await failure).failure, { code: 'PARSE_MEMORY' });
});

t.test('a process that never releases its memory is replaced; one that does is kept', async (t) => {
  const { memory, watch, worn } = watched();
  const failure = stopped(watch);
  memory.bytes = 300 * MB;
  await failure;
  memory.bytes = 140 * MB;
  (await watch.enter(() => {}))();
  t.equal(worn.times, 0);
  memory.bytes = 290 * MB;
  (await watch.enter(() => {}))();
  t.equal(worn.times, 1);
});
