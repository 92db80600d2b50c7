import { silentLog } from '../../../core/ports/log.port.js';
import { adoptStorage } from '../../../core/workspaces/installation-claim.js';
import { ALIVE_MS, aliveProcesses, startPresence } from '../../../core/workspaces/presence.js';
import t from '../../support/t.js';

const [OURS, THEIRS] = ['a'.repeat(64), 'b'.repeat(64)];

function memoryStorage() {
  const objects = new Map<string, Buffer>();
  return {
    get: async (path: string) => objects.get(path) ?? null,
    put: async (path: string, bytes: Uint8Array) => void objects.set(path, Buffer.from(bytes)),
  };
}

t.test('processes are alive until they stop, or have been silent for a while', async (t) => {
  const storage = memoryStorage();
  await adoptStorage(storage, OURS);
  let now = 1_000_000;
  const clock = { now: () => now };
  const start = (processName: string, installation = OURS) =>
    startPresence(storage, { installation, processName, clock, log: silentLog });

  const first = await start('first');
  const second = await start('second');
  await start('theirs', THEIRS);
  t.same(await aliveProcesses(storage, now), ['first', 'second'], 'no process without the storage');
  await first.stop();
  t.same(await aliveProcesses(storage, now), ['second']);
  now += ALIVE_MS;
  t.same(await aliveProcesses(storage, now), []);
  await second.stop();
});

t.test('a process whose clock is ahead is alive', async (t) => {
  const storage = memoryStorage();
  await adoptStorage(storage, OURS);
  const clock = { now: () => 1e12 };
  await startPresence(storage, { installation: OURS, processName: 'early', clock, log: silentLog });
  t.same(await aliveProcesses(storage, 1e12 - 3_600_000), ['early']);
});
