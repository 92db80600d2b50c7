import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import type { CrawlSettings } from '../../../workers/crawl/crawl-settings.js';
import { readSitemap } from '../../../workers/crawl/read-sitemap.task.js';
import { scriptedSite } from '../../support/scripted-site.js';
import { someone } from '../../support/someone.js';
import t from '../../support/t.js';
import { crawlerOf, failureFrom, never } from './local-site.js';

const DOCS = 'https://docs.acme.com';
const XML = { 'content-type': 'application/xml' };

const urlset = (urls: string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">${urls
    .map(
      (url) =>
        `<url><loc>${url}</loc><image:image><image:loc>${DOCS}/picture.png</image:loc></image:image></url>`,
    )
    .join('\n')}</urlset>`;
const index = (urls: string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc> ${url} </loc></sitemap>`).join('')}</sitemapindex>`;

async function setUp(t: Test, settings: Partial<CrawlSettings> = {}) {
  const site = await scriptedSite();
  const crawler = crawlerOf({ resolve: { [DOCS]: site.origin }, ...settings });
  t.teardown(async () => {
    await crawler.close();
    await site.close();
  });
  const read = (path: string, limit = 100) =>
    crawler.run(readSitemap, { url: DOCS + path, limit }, someone, never);
  return {
    site,
    read,
    found: async (path: string, limit?: number) => {
      const outcome = await read(path, limit);
      if (outcome.kind !== 'extracted') throw new Error(outcome.kind);
      const { text, metadata } = outcome.extraction;
      return { pages: text.split('\n').filter(Boolean), report: metadata as Record<string, unknown> };
    },
    code: async (path: string) => (await failureFrom(read(path)))?.code,
  };
}

t.test('returns distinct pages of the host, and what was skipped for which reason', async (t) => {
  const { site, found } = await setUp(t);
  site.serve(
    '/sitemap.xml',
    urlset([
      `${DOCS}/a?x=1&amp;y=2`,
      `${DOCS}/b#top`,
      `${DOCS}/b`,
      'https://shop.acme.com/',
      'http://10.0.0.1/',
      '/c',
    ]),
    XML,
  );
  const { pages, report } = await found('/sitemap.xml');
  t.strictSame(pages, [`${DOCS}/a?x=1&y=2`, `${DOCS}/b`]);
  t.strictSame(report, {
    url: `${DOCS}/sitemap.xml`,
    host: 'docs.acme.com',
    limit: 100,
    sitemaps: 1,
    found: 6,
    skipped: [
      { reason: 'duplicate', count: 1, examples: [`${DOCS}/b`] },
      { reason: 'other_host', count: 1, examples: ['https://shop.acme.com/'] },
      { reason: 'invalid', count: 2, examples: ['http://10.0.0.1/', '/c'] },
    ],
  });
  const few = await found('/sitemap.xml', 1);
  t.equal(few.pages.length, 1);
  t.match(few.report.skipped, [{ reason: 'over_limit', count: 2 }]);
});

t.test('reads nested sitemaps, including compressed ones, up to a maximum depth', async (t) => {
  const { site, found } = await setUp(t);
  site.serve(
    '/index.xml',
    index([
      `${DOCS}/one.xml.gz`,
      `${DOCS}/deep.xml`,
      `${DOCS}/gone.xml`,
      `${DOCS}/page.html`,
      'https://else.acme.com/x.xml',
      `${DOCS}/index.xml`,
    ]),
    XML,
  );
  site.serve('/page.html', '<!doctype html><p>No sitemap.', { 'content-type': 'text/html' });
  site.serve('/one.xml.gz', gzipSync(urlset([`${DOCS}/1`])), { 'content-type': 'application/gzip' });
  site.serve('/deep.xml', index([`${DOCS}/deeper.xml`]), XML);
  site.serve('/deeper.xml', index([`${DOCS}/deepest.xml`]), XML);
  site.serve('/deepest.xml', urlset([`${DOCS}/never`]), XML);
  const { pages, report } = await found('/index.xml');
  t.strictSame(pages, [`${DOCS}/1`]);
  t.equal(report.sitemaps, 4);
  t.strictSame(report.skipped, [
    { reason: 'other_host', count: 1, examples: ['https://else.acme.com/x.xml'] },
    { reason: 'unreadable', count: 2, examples: [`${DOCS}/gone.xml`, `${DOCS}/page.html`] },
    { reason: 'duplicate', count: 1, examples: [`${DOCS}/index.xml`] },
    { reason: 'not_read', count: 1, examples: [`${DOCS}/deepest.xml`] },
  ]);
  t.equal(site.visits('/deepest.xml'), 0);
});

t.test('reads only part of an index with hundreds of sitemaps', async (t) => {
  const { site, found } = await setUp(t, { perHostConcurrency: 8 });
  const nested = Array.from({ length: 300 }, (_, n) => `${DOCS}/${n}.xml`);
  site.serve('/index.xml', index(nested), XML);
  for (const url of nested) site.serve(url.slice(DOCS.length), urlset([`${url}/page`]), XML);
  const { pages, report } = await found('/index.xml');
  t.equal(pages.length, 19);
  t.match(report, { sitemaps: 20, skipped: [{ reason: 'not_read', count: 281 }] });
});

t.test('a text with one URL per line is a sitemap, other content is not', async (t) => {
  const { site, found, code } = await setUp(t, { maxBytes: 5000 });
  site.serve('/pages.txt', `${DOCS}/a\r\n\r\n${DOCS}/b\n`, { 'content-type': 'text/plain' });
  t.strictSame((await found('/pages.txt')).pages, [`${DOCS}/a`, `${DOCS}/b`]);
  site.serve('/page', '<!doctype html><html><body>Hello</body></html>');
  t.equal(await code('/page'), 'CONTENT_TYPE_UNSUPPORTED');
  site.serve('/words', 'Hello', { 'content-type': 'text/plain' });
  t.equal(await code('/words'), 'CONTENT_TYPE_UNSUPPORTED');
  t.equal(await code('/nothing'), 'HTTP_NOT_FOUND');
  site.serve('/bomb.gz', gzipSync(Buffer.alloc(1_000_000, 'x')), { 'content-type': 'application/gzip' });
  t.equal(await code('/bomb.gz'), 'BODY_TOO_LARGE');
  const laughs = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(100)}">]>${urlset([`${DOCS}/&a;`])}`;
  site.serve('/laughs.xml', laughs, XML);
  t.notOk((await found('/laughs.xml')).pages.join().includes('hahaha'));
});

t.test('rejects a sitemap with more than ten levels of elements permanently', async (t) => {
  const { site, read, found } = await setUp(t, { maxBytes: 10_485_760 });
  const nested = (levels: number) => `<urlset>${'<url>'.repeat(levels)}`;
  const bomb = gzipSync(nested(2_000_000));
  t.ok(bomb.length < 15_000);
  site.serve('/bomb.xml.gz', bomb, { 'content-type': 'application/gzip' });
  t.match(await failureFrom(read('/bomb.xml.gz')), { code: 'SITEMAP_TOO_DEEP', verdict: 'give-up' });
  site.serve('/nine.xml', nested(9), XML);
  t.strictSame((await found('/nine.xml')).pages, []);
  site.serve('/ten.xml', nested(10), XML);
  t.match(await failureFrom(read('/ten.xml')), { code: 'SITEMAP_TOO_DEEP' });
  site.serve('/index.xml', index([`${DOCS}/bomb.xml.gz`, `${DOCS}/good.xml`]), XML);
  site.serve('/good.xml', urlset([`${DOCS}/page`]), XML);
  const { pages, report } = await found('/index.xml');
  t.strictSame(pages, [`${DOCS}/page`], 'the others of an index are read');
  t.match(report.skipped, [{ reason: 'unreadable', examples: [`${DOCS}/bomb.xml.gz`] }]);
});

t.test('robots.txt and the URL rules apply to sitemaps', async (t) => {
  const { site, code } = await setUp(t);
  site.serve('/robots.txt', 'User-agent: *\nDisallow: /private', { 'content-type': 'text/plain' });
  site.serve('/private/sitemap.xml', urlset([]), XML);
  t.equal(await code('/private/sitemap.xml'), 'ROBOTS_DISALLOWED');
  site.serve('/away.xml', '', { location: 'http://169.254.169.254/sitemap.xml' }, 302);
  t.equal(await code('/away.xml'), 'ADDRESS_REFUSED');
});
