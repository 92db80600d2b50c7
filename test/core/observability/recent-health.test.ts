import { recentHealth } from '../../../core/observability/recent-health.js';
import type { Health } from '../../../core/ports/health.js';
import t from '../../support/t.js';

/** A check that ends on request, and a stopped clock. */
function watched() {
  const looks: ((health: Health) => void)[] = [];
  const clock = { ms: 0 };
  const health = recentHealth(
    () => new Promise<Health>((resolve) => looks.push(resolve)),
    () => clock.ms,
  );
  return { looks, clock, health };
}
const down = { ok: false as const, reason: 'down' };

t.test('concurrent checks share a run, and its result for a second', async (t) => {
  const { looks, clock, health } = watched();
  const asked = [health(), health(), health()];
  looks[0]?.({ ok: true });
  t.strictSame(await Promise.all(asked), [{ ok: true }, { ok: true }, { ok: true }]);
  clock.ms = 999;
  t.strictSame(await health(), { ok: true });
  t.equal(looks.length, 1);
});

t.test('while the next run is in progress, the last result is returned', async (t) => {
  const { looks, clock, health } = watched();
  const first = health();
  looks[0]?.({ ok: true });
  await first;
  clock.ms = 1000;
  t.strictSame(await health(), { ok: true });
  t.equal(looks.length, 2);
  looks[1]?.(down);
  await new Promise(setImmediate);
  t.strictSame(await health(), down);
  t.equal(looks.length, 2);
});

t.test('an old result is not returned any more', async (t) => {
  const { looks, clock, health } = watched();
  const first = health();
  looks[0]?.({ ok: true });
  await first;
  clock.ms = 3000;
  const next = health();
  looks[1]?.(down);
  t.strictSame(await next, down);
});

t.test('a failed run counts as a result', async (t) => {
  const health = recentHealth(() => Promise.reject(new Error('no such folder')));
  t.strictSame(await health(), { ok: false, reason: 'no such folder' });
});
