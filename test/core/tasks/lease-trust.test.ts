import { createLeaseTrust } from '../../../core/tasks/lease-trust.js';
import t from '../../support/t.js';

const LEASE_MS = 15_000;

/** Checks once per second from one time to another; returns the times at which leases were trusted. */
function looking(trust: ReturnType<typeof createLeaseTrust>, from: number, to: number): number[] {
  const believed: number[] = [];
  for (let now = from; now <= to; now += 1000) {
    if (trust.at(now)) believed.push(now);
    trust.looked(now);
  }
  return believed;
}

t.test('an expired lease is trusted after one lease time without a gap', async (t) => {
  const trust = createLeaseTrust(LEASE_MS, 0);
  t.same(looking(trust, 1000, 16_000), [15_000, 16_000]);
  t.same(looking(trust, 22_000, 36_000), [], 'a pause of ours begins it anew');
  t.same(looking(trust, 37_000, 38_000), [37_000, 38_000]);
  t.same(looking(trust, 30_000, 46_000), [45_000, 46_000], 'and so does a clock that was set back');
});
