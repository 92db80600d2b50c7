import { createIndexSweeps } from '../../../core/jobs/index-sweeps.js';
import { startSweeps } from '../../../core/jobs/sweeper.js';
import { type Log, silentLog } from '../../../core/ports/log.port.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/** A log that notes its lines. */
function noting() {
  const lines: Record<string, unknown>[] = [];
  const note = (fields: object, message: string) => void lines.push({ ...fields, message });
  const log: Log = { ...silentLog, info: note, warn: note };
  return { lines, log };
}

t.test('after an upgrade, agents without documents to index are one line', async (t) => {
  const { lines, log } = noting();
  const waiting = Array.from({ length: 40 }, (_, n) => `agent-${n}`);
  const [index] = createIndexSweeps({
    sweeps: {
      agentsToIndex: async () => waiting.slice(0, 1),
      documentsToIndex: async () => [],
      left: async () => ({ agents: waiting.length, documents: 0 }),
    } as never,
    reads: {} as never,
    agents: { send: async () => waiting.shift() } as never,
    indexer: {} as never,
    log,
  });
  while (await index?.run());
  t.same(waiting, []);
  await until('the line', async () => lines.length > 0);
  t.match(lines, [{ agents: 1, indexed: 0, message: 'indexed the documents of agents' }]);
  t.equal(lines.length, 1);
  await index?.end?.();
  t.match(lines.slice(1), [{ agents: 39, indexed: 0 }], 'the rest at a stop');
});

t.test('a sweep that fails again and again is one line', async (t) => {
  const { lines, log } = noting();
  let runs = 0;
  const sweeper = startSweeps(
    [
      {
        name: 'unlucky',
        everyMs: 1,
        async run() {
          runs += 1;
          throw new Error('the database is away');
        },
      },
    ],
    log,
  );
  await until('many runs', async () => runs > 20);
  t.equal(lines.length, 1);
  await sweeper.stop();
  t.equal(lines.length, 2);
  t.match(lines, [{ times: 1 }, { times: runs - 1, sweep: 'unlucky', err: Error }]);
});
