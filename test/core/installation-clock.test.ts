import { startInstallationClock } from '../../core/installation-clock.js';
import { silentLog } from '../../core/ports/log.port.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';

const HOUR = 3_600_000;

t.test('a process whose clock is an hour ahead uses the time of the database', async (t) => {
  const there = () => Date.now();
  const store = { now: async () => there() - HOUR };
  const clock = await startInstallationClock(store, silentLog);
  t.teardown(() => clock.stop());
  t.ok(Math.abs(clock.now() - (Date.now() - HOUR)) < 5000);
});

t.test('changing the clock of a running process has no effect', async (t) => {
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  const clock = await startInstallationClock({ now: async () => now() }, silentLog);
  t.teardown(() => clock.stop());
  Date.now = () => now() + HOUR;
  t.ok(Math.abs(clock.now() - now()) < 5000);
});

t.test('a database that cannot report its time prevents the start', async (t) => {
  await t.rejects(startInstallationClock({ now: () => Promise.reject(new Error('away')) }, silentLog), {
    message: 'away',
  });
});

t.test('the store reports its time in milliseconds', async (t) => {
  const { store } = await startTestService(t);
  t.ok(Math.abs((await store.now()) - Date.now()) < 60_000);
});
