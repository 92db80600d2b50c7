import t from '../../support/t.js';
import { crawledSite, DOCS, ending } from './local-site.js';

t.test('limits the concurrent requests to a host', async (t) => {
  const { site, crawler } = await crawledSite(t, { perHostConcurrency: 2 });
  let inside = 0;
  let most = 0;
  const urls = ['/1', '/2', '/3', '/4', '/5', '/6'];
  for (const url of urls) {
    site.on(url, (_, response) => {
      inside += 1;
      most = Math.max(most, inside);
      setTimeout(() => {
        inside -= 1;
        response.writeHead(200, { 'content-type': 'text/plain' }).end('x');
      }, 10);
    });
  }
  const codes = await Promise.all(urls.map(async (url) => (await ending(crawler, { url: DOCS + url })).code));
  t.same(new Set(codes), new Set(['extracted']));
  t.equal(most, 2);
  t.equal(site.visits('/robots.txt'), 1, 'all of them share one robots.txt');
});

t.test('waiting for a busy host does not count towards the timeout of a fetch', async (t) => {
  const { site, crawler } = await crawledSite(t, { perHostConcurrency: 1, timeoutMs: 1500 });
  const urls = ['/1', '/2', '/3', '/4', '/5', '/6'];
  for (const url of urls) {
    site.on(url, (_, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'), 300);
    });
  }
  const codes = await Promise.all(urls.map(async (url) => (await ending(crawler, { url: DOCS + url })).code));
  t.same(new Set(codes), new Set(['extracted']));
});
