import { failureOfStatus, retryAfterMs } from '../../../workers/crawl/http-verdict.js';
import t from '../../support/t.js';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);
const verdictOf = (status: number, retryAfter: string | null = null) =>
  failureOfStatus(status, retryAfter, now)?.failure;

t.test('each status has a code, a verdict and a name', async (t) => {
  const expected: [status: number, code: string, verdict: string][] = [
    [404, 'HTTP_NOT_FOUND', 'give-up'],
    [410, 'HTTP_NOT_FOUND', 'give-up'],
    [400, 'HTTP_REFUSED', 'give-up'],
    [401, 'HTTP_REFUSED', 'give-up'],
    [403, 'HTTP_REFUSED', 'give-up'],
    [451, 'HTTP_REFUSED', 'give-up'],
    [408, 'HTTP_BUSY', 'retry'],
    [425, 'HTTP_BUSY', 'retry'],
    [429, 'HTTP_BUSY', 'retry'],
    [500, 'HTTP_SERVER_ERROR', 'retry'],
    [503, 'HTTP_SERVER_ERROR', 'retry'],
    [599, 'HTTP_SERVER_ERROR', 'retry'],
    [304, 'FETCH_FAILED', 'give-up'],
    [300, 'FETCH_FAILED', 'give-up'],
  ];
  for (const [status, code, verdict] of expected) {
    t.match(verdictOf(status), { code, verdict, message: new RegExp(`HTTP ${status}`) }, String(status));
  }
  t.equal(verdictOf(200), undefined);
  t.equal(verdictOf(203), undefined);
});

t.test('Retry-After sets the delay', async (t) => {
  t.match(verdictOf(503, '7'), { code: 'HTTP_BUSY', retryAfterMs: 7000 });
  t.match(verdictOf(429, '7'), { code: 'HTTP_BUSY', retryAfterMs: 7000 });
  t.match(verdictOf(502, '7'), { code: 'HTTP_SERVER_ERROR', retryAfterMs: 7000 });
  t.equal(retryAfterMs('Thu, 01 Jan 2026 12:00:30 GMT', now), 30_000);
  t.equal(retryAfterMs('Thu, 01 Jan 2026 11:00:00 GMT', now), undefined);
  t.equal(retryAfterMs('86400', now), 3_600_000);
  t.equal(retryAfterMs('Fri, 01 Jan 2027 12:00:00 GMT', now), 3_600_000);
  for (const nonsense of ['', '-5', 'soon', '1.5', '99999999999999999999', '0'])
    t.equal(retryAfterMs(nonsense, now), undefined, nonsense);
});
