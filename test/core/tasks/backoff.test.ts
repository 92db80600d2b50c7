import { backoffMs } from '../../../core/tasks/backoff.js';
import t from '../../support/t.js';

const policy = { baseMs: 1000, maxMs: 60_000 };

t.test('doubles with each attempt, up to the cap', async (t) => {
  t.same(
    [1, 2, 3, 4, 10, 1000].map((attempt) => backoffMs(attempt, policy, 1)),
    [1000, 2000, 4000, 8000, 60_000, 60_000],
  );
});

t.test('is randomised within its upper half', async (t) => {
  t.equal(backoffMs(3, policy, 0), 2000);
  t.equal(backoffMs(3, policy, 0.5), 3000);
});

t.test('a longer Retry-After of the site takes precedence', async (t) => {
  t.equal(backoffMs(1, policy, 0, 30_000), 30_000);
  t.equal(backoffMs(4, policy, 1, 10), 8000);
  t.equal(backoffMs(1, policy, 0, 86_400_000), 86_400_000, 'a provider whose quota is used up for a day');
  t.equal(backoffMs(1, policy, 0, 1e12), 86_400_000, 'at most a day');
});
