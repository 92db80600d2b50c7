import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchMain, type MainProcess } from '../support/main-process.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

const listens = ({ output }: MainProcess) =>
  until('listening', () => output.stdout.includes('listening on http://'));

/** Returns how the process ends within the time of a clean stop; `running` if it does not. */
const endOf = ({ ended }: MainProcess) =>
  Promise.race([ended, sleep(20_000, 'running' as const, { ref: false })]);

t.test('SIGTERM ends the process even if its log has no reader any more', async (t) => {
  const main = launchMain(t);
  await listens(main);
  main.child.stdout?.destroy();
  main.child.kill('SIGTERM');
  t.same(await endOf(main), { code: 0, signal: null });
});

t.test('SIGTERM ends the process even if neither output has a reader any more', async (t) => {
  const main = launchMain(t, { LOG_LEVEL: 'debug' });
  await listens(main);
  main.child.stdout?.destroy();
  main.child.stderr?.destroy();
  main.child.kill('SIGINT');
  t.same(await endOf(main), { code: 0, signal: null });
});

for (const made of ['cadre.sqlite', 'uploads'])
  t.test(
    `SIGTERM once ${made} is being made ends the start in order, and the next one is whole`,
    async (t) => {
      const main = launchMain(t);
      await until(made, () => existsSync(join(main.dataDir, made)));
      main.child.kill('SIGTERM');
      t.same(await endOf(main), { code: 0, signal: null }, main.output.stderr);
      const again = launchMain(t, { DATA_DIR: main.dataDir });
      await listens(again);
      const shown = `${main.output.stdout}${again.output.stdout}`.match(/^ {4}cadre_\S+$/gm) ?? [];
      t.equal(shown.length, 1, 'the first key is shown once');
      again.child.kill('SIGTERM');
      t.same(await endOf(again), { code: 0, signal: null });
    },
  );

t.test('SIGTERM ends a start that waits for a silent database', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const main = launchMain(t, {
    DATABASE_URL: `mysql://root@127.0.0.1:${port}/none`,
    CADRE_SHUTDOWN_DEADLINE_MS: '1000',
  });
  await once(silent, 'connection');
  main.child.kill('SIGTERM');
  t.same(await endOf(main), { code: 0, signal: null }, main.output.stderr);
});
