import { scriptedSite } from '../../support/scripted-site.js';
import t from '../../support/t.js';
import { crawlerOf, ending } from './local-site.js';

const VIDEO = 'https://vimeo.com';
const CDN = 'https://captions.example';

const setUp = async (teardown: (end: () => Promise<void>) => void) => {
  const [site, cdn] = [await scriptedSite(), await scriptedSite()];
  const crawler = crawlerOf({ resolve: { [VIDEO]: site.origin, [CDN]: cdn.origin } });
  teardown(async () => {
    await crawler.close();
    await Promise.all([site.close(), cdn.close()]);
  });
  return {
    site,
    cdn,
    crawl: (url: string) => ending(crawler, { url, known: { etag: '"v1"' } }),
  };
};

const vtt = { 'content-type': 'text/vtt' };

t.test('indexes the best caption track of a video', async (t) => {
  const { site, cdn, crawl } = await setUp(t.teardown);
  site.serve('/1', `${CDN}/en.vtt /de.vtt`);
  cdn.serve('/en.vtt', 'Good morning', vtt);
  const { outcome } = await crawl(`${VIDEO}/1`);
  t.match(outcome, {
    kind: 'extracted',
    extraction: {
      text: 'transcript of Title: Good morning',
      metadata: { url: `${VIDEO}/1`, captionsUrl: `${CDN}/en.vtt`, captionsAutomatic: false, status: 200 },
    },
  });
  t.equal(site.visits('/de.vtt'), 0);
  t.equal(cdn.visits('/robots.txt'), 1, 'caption tracks obey robots.txt too');
  t.equal(site.seen.at(-1)?.headers['if-none-match'], undefined, 'captions can change while the page stays');
});

t.test('uses the next track if one is unusable', async (t) => {
  const { site, crawl } = await setUp(t.teardown);
  site.serve('/1', 'http://127.0.0.1/a /gone.vtt /de.vtt');
  site.serve('/de.vtt', 'Guten Morgen', vtt);
  t.match((await crawl(`${VIDEO}/1`)).outcome, { extraction: { text: /Guten Morgen/ } });
});

t.test('without usable captions there is no transcript', async (t) => {
  const { site, crawl } = await setUp(t.teardown);
  site.serve('/1', '/a.vtt http://127.0.0.1/a /c.vtt /never.vtt');
  t.match(await crawl(`${VIDEO}/1`), {
    failure: { code: 'TRANSCRIPT_UNAVAILABLE', verdict: 'give-up', message: /404/ },
  });
  t.equal(site.visits('/never.vtt'), 0, 'tracks are not tried for ever');
  site.serve('/a.vtt', '', {}, 503);
  t.match(
    await crawl(`${VIDEO}/1`),
    { failure: { code: 'HTTP_SERVER_ERROR', verdict: 'retry' } },
    'another attempt may help',
  );
  site.on('/2', (_, response) =>
    response.writeHead(200, { 'content-type': 'video/mp4' }).write('endless'.repeat(200)),
  );
  t.equal((await crawl(`${VIDEO}/2`)).code, 'TRANSCRIPT_UNAVAILABLE');
  t.equal((await crawl(`${VIDEO}/none`)).code, 'HTTP_NOT_FOUND');
});

t.test('does not download a bare media file', async (t) => {
  const { cdn, crawl } = await setUp(t.teardown);
  cdn.serve('/talk.mp4', 'film', { 'content-type': 'video/mp4' });
  t.equal((await crawl(`${CDN}/talk.mp4`)).code, 'TRANSCRIPT_UNAVAILABLE');
  t.equal(cdn.seen.length, 0);
});

t.test(
  'a page that redirects to a video is indexed as a page, because its plan was not checked for videos',
  async (t) => {
    const { site, cdn, crawl } = await setUp(t.teardown);
    cdn.serve('/short', '', { location: `${VIDEO}/1` }, 302);
    site.serve('/1', `${CDN}/en.vtt`);
    t.match((await crawl(`${CDN}/short`)).outcome, { extraction: { text: /^page/ } });
  },
);
