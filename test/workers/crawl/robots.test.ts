import { crawlPage } from '../../../workers/crawl/crawl-page.task.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { someone } from '../../support/someone.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { crawlerOf, ending, never } from './local-site.js';

const DOCS = 'https://docs.acme.com';
const OTHER = 'https://other.acme.com';

const setUp = async (teardown: (end: () => Promise<void>) => void, timeoutMs = 5000) => {
  const [site, other] = [await scriptedSite(), await scriptedSite()];
  let nowMs = 1_000_000;
  const clock = { now: () => nowMs };
  const crawler = crawlerOf(
    { resolve: { [DOCS]: site.origin, [OTHER]: other.origin }, timeoutMs },
    { clock },
  );
  teardown(async () => {
    await crawler.close();
    await Promise.all([site.close(), other.close()]);
  });
  for (const path of ['/a', '/b', '/private/a']) site.serve(path, 'text', { 'content-type': 'text/plain' });
  other.serve('/a', 'text', { 'content-type': 'text/plain' });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { site, other, crawler, pass, crawl: (url: string) => ending(crawler, { url }) };
};

const plain = { 'content-type': 'text/plain' };

t.test('does not fetch a page that robots.txt disallows', async (t) => {
  const { site, crawl } = await setUp(t.teardown);
  site.serve('/robots.txt', 'User-agent: *\nDisallow: /\nUser-agent: cadrebot\nDisallow: /private', plain);
  t.equal((await crawl(`${DOCS}/a`)).code, 'extracted');
  t.match(await crawl(`${DOCS}/private/a`), {
    failure: { code: 'ROBOTS_DISALLOWED', verdict: 'give-up', message: /CadreBot/ },
  });
  t.equal(site.visits('/private/a'), 0);
});

t.test("the rules of a redirect's target apply too", async (t) => {
  const { site, other, crawl } = await setUp(t.teardown);
  other.serve('/robots.txt', 'User-agent: *\nDisallow: /', plain);
  site.serve('/over', '', { location: `${OTHER}/a` }, 302);
  t.equal((await crawl(`${DOCS}/over`)).code, 'ROBOTS_DISALLOWED');
  t.equal(other.visits('/a'), 0);
});

t.test('a missing robots.txt allows everything; a failing one is retried later', async (t) => {
  for (const status of [400, 401, 403, 404, 410]) {
    const { site, crawl } = await setUp(t.teardown);
    site.serve('/robots.txt', 'User-agent: *\nDisallow: /', plain, status);
    t.equal((await crawl(`${DOCS}/a`)).code, 'extracted', String(status));
  }
  for (const status of [429, 500, 503]) {
    const { site, crawl } = await setUp(t.teardown);
    site.serve('/robots.txt', '', { 'retry-after': '9' }, status);
    t.match(
      await crawl(`${DOCS}/a`),
      {
        failure: {
          code: 'ROBOTS_UNREACHABLE',
          verdict: 'retry',
          retryAfterMs: 9000,
          message: new RegExp(`HTTP ${status}`),
        },
      },
      String(status),
    );
    t.equal(site.visits('/a'), 0);
    site.serve('/robots.txt', '', plain);
    t.equal((await crawl(`${DOCS}/a`)).code, 'extracted', 'trouble is not remembered');
  }
});

t.test('a robots.txt that times out disallows everything', async (t) => {
  const { site, crawl } = await setUp(t.teardown, 500);
  site.on('/robots.txt', () => {});
  t.match(await crawl(`${DOCS}/a`), {
    failure: { code: 'ROBOTS_UNREACHABLE', verdict: 'retry', message: /in time/ },
  });
  t.equal(site.visits('/a'), 0);
});

t.test('a robots.txt whose connection is closed disallows everything', async (t) => {
  const { site, crawl } = await setUp(t.teardown);
  site.on('/robots.txt', (_, response) => response.destroy());
  t.match(await crawl(`${DOCS}/a`), {
    failure: { code: 'ROBOTS_UNREACHABLE', verdict: 'retry', message: /connection/ },
  });
  t.equal(site.visits('/a'), 0);
});

t.test('the time for robots.txt on each hop counts for the fetch', async (t) => {
  const { site, other, crawl } = await setUp(t.teardown, 3000);
  for (const slow of [site, other]) {
    slow.on('/robots.txt', (_, response) => setTimeout(() => response.writeHead(404).end(), 1700));
  }
  site.serve('/over', '', { location: `${OTHER}/a` }, 302);
  t.match(await crawl(`${DOCS}/over`), { failure: { code: 'ROBOTS_UNREACHABLE', message: /in time/ } });
  t.equal(other.visits('/a'), 0);
  t.equal((await crawl(`${DOCS}/a`)).code, 'extracted', 'one of them is quick enough');
});

t.test('follows up to five redirects of robots.txt', async (t) => {
  const { site, other, crawl } = await setUp(t.teardown);
  for (const hop of [1, 2, 3, 4]) site.serve(`/r${hop}`, '', { location: `/r${hop + 1}` }, 302);
  site.serve('/r5', '', { location: `${OTHER}/rules` }, 302);
  other.serve('/rules', 'User-agent: *\nDisallow: /a', plain);
  site.serve('/robots.txt', '', { location: '/r2' }, 301);
  t.equal((await crawl(`${DOCS}/a`)).code, 'ROBOTS_DISALLOWED');

  const far = await setUp(t.teardown);
  far.site.serve('/robots.txt', '', { location: '/robots.txt' }, 301);
  t.equal((await far.crawl(`${DOCS}/a`)).code, 'extracted');
});

t.test('reads robots.txt once for many pages, and again when it is old', async (t) => {
  const { site, crawl, pass } = await setUp(t.teardown);
  site.serve('/robots.txt', 'User-agent: *\nAllow: /', plain);
  await Promise.all([crawl(`${DOCS}/a`), crawl(`${DOCS}/b`)]);
  await crawl(`${DOCS}/a`);
  t.equal(site.visits('/robots.txt'), 1);
  pass(61_000);
  await crawl(`${DOCS}/a`);
  t.equal(site.visits('/robots.txt'), 2);
});

t.test('a relaxed robots.txt takes effect before our copy expires', async (t) => {
  const { site, crawl, pass } = await setUp(t.teardown);
  site.serve('/robots.txt', 'User-agent: *\nDisallow: /', plain);
  t.equal((await crawl(`${DOCS}/a`)).code, 'ROBOTS_DISALLOWED');
  t.equal((await crawl(`${DOCS}/b`)).code, 'ROBOTS_DISALLOWED');
  t.equal(site.visits('/robots.txt'), 1);
  site.serve('/robots.txt', 'User-agent: *\nAllow: /', plain);
  pass(6000);
  t.equal((await crawl(`${DOCS}/a`)).code, 'extracted');
});

t.test('only the beginning of a huge robots.txt counts', async (t) => {
  const { site, crawl } = await setUp(t.teardown);
  const filler = `# ${'x'.repeat(1000)}\n`.repeat(600);
  site.serve('/robots.txt', `User-agent: *\nDisallow: /a\n${filler}Disallow: /b\n`, plain);
  t.equal((await crawl(`${DOCS}/a`)).code, 'ROBOTS_DISALLOWED');
  t.equal((await crawl(`${DOCS}/b`)).code, 'extracted');
});

t.test('cancelling a page does not cancel robots.txt for others', async (t) => {
  const { site, crawler } = await setUp(t.teardown);
  let answer = (): void => {};
  site.on('/robots.txt', (_, response) => {
    answer = () => response.writeHead(200, plain).end('');
  });
  const stop = new AbortController();
  const cancelled = crawler.run(crawlPage, { url: `${DOCS}/a` }, someone, stop.signal);
  const other = crawler.run(crawlPage, { url: `${DOCS}/b` }, someone, never);
  await until('a request for /robots.txt', () => site.visits('/robots.txt') === 1);
  stop.abort(new Error('cancelled'));
  await t.rejects(cancelled, { message: 'cancelled' });
  answer();
  t.match(await other, { kind: 'extracted' });
});
