import { scriptedSite } from '../../../support/scripted-site.js';
import { HTML, letters, linkedPage, siteReadings } from '../../../support/site-readings.js';
import t from '../../../support/t.js';
import { DOCS } from '../../../workers/crawl/local-site.js';

const DAY_MS = 86_400_000;

t.test('nothing outside of the host is dialled, and no inner address', async (t) => {
  const dialled: string[] = [];
  const inner = await scriptedSite();
  t.teardown(inner.close);
  const outside = 'https://elsewhere.example';
  const victim = `http://127.0.0.1:${inner.port}`;
  const { site, add, work, stored } = await siteReadings(t, {
    network: {
      async resolve(name) {
        dialled.push(name);
        return [{ address: '127.0.0.1', family: 4 }];
      },
      isPublic(address) {
        dialled.push(address);
        return true;
      },
    },
  });
  const targets = [
    outside,
    victim,
    'http://[::1]/',
    'http://169.254.169.254/meta',
    'http://docs.acme.com/plain',
  ];
  const sitemap = targets.map((url) => `<url><loc>${url}/page</loc></url>`).join('');
  const robots = targets.map((url) => `Sitemap: ${url}/sitemap.xml`).join('\n');
  site.serve('/robots.txt', `${robots}\nSitemap: ${DOCS}/own.xml\nSitemap: ${DOCS}/moved.xml`, {
    'content-type': 'text/plain',
  });
  const nested = targets.map((url) => `<sitemap><loc>${url}/nested.xml</loc></sitemap>`).join('');
  site.serve(
    '/own.xml',
    `<sitemapindex>${nested}<sitemap><loc>${DOCS}/list.xml</loc></sitemap></sitemapindex>`,
  );
  site.serve('/list.xml', `<urlset>${sitemap}<url><loc>${DOCS}/listed</loc></url></urlset>`);
  const redirect = (path: string, location: string) =>
    site.on(path, (_, response) => response.writeHead(302, { location }).end());
  redirect('/moved.xml', `${outside}/sitemap.xml`);
  const traps = targets.flatMap((url, n) => {
    redirect(`/away-${letters[n]}`, url);
    site.serve(
      `/refresh-${letters[n]}`,
      linkedPage('Away', [], `<meta http-equiv="refresh" content="0;url=${url}">`),
      HTML,
    );
    site.serve(
      `/canonical-${letters[n]}`,
      linkedPage(`Canonical ${n}`, [], `<link rel="canonical" href="${url}">`),
      HTML,
    );
    site.serve(
      `/base-${letters[n]}`,
      linkedPage(`Base ${letters[n]}`, ['inside', '/top'], `<base href="${url}/">`),
      HTML,
    );
    return ['away', 'refresh', 'canonical', 'base'].map((kind) => `/${kind}-${letters[n]}`);
  });
  const odd = [
    '//elsewhere.example/',
    '\\\\elsewhere.example',
    'https:elsewhere.example',
    'https://docs.acme.com@elsewhere.example/',
    'https://docs.acme.com:8443/',
    'HTTPS://DOCS.ACME.COM./dot',
  ];
  site.serve('/', linkedPage('Home', [...targets, ...traps, ...odd]), HTML);
  site.serve('/listed', linkedPage('Listed'), HTML);
  const { job } = await add({ depth: 5 });
  const { reasons } = await work(job.id);
  t.strictSame(dialled, [], 'no name is resolved, no address looked at');
  t.equal(inner.seen.length, 0);
  const bases = targets.map((_, n) => `/base-${letters[n]}`);
  const ignored = ['/canonical-b', '/canonical-c', '/canonical-d'];
  t.strictSame(
    await stored(),
    ['/', ...bases, ...ignored, '/listed'],
    'a canonical URL that is not public is ignored',
  );
  t.equal(reasons.canonical, 2);
  t.match(reasons, { host: Number, invalid: Number });
});

t.test('pauses between fetches: of the configuration, or of robots.txt up to 30 seconds', async (t) => {
  const { site, add, work, world } = await siteReadings(t, { siteDelayMs: 500, stepMs: 500 });
  site.serve('/', linkedPage('Home', ['/a', '/b']), HTML);
  for (const path of ['/a', '/b']) site.serve(path, linkedPage(`Page ${path}`), HTML);
  const gaps = async (): Promise<number[]> => {
    const times: number[] = [];
    const { job } = await add({ depth: 1 });
    await work(job.id, async () => {
      times.push(world.now());
      return true;
    });
    return times.slice(1).map((time, n) => time - (times[n] ?? 0));
  };
  t.strictSame(await gaps(), [500, 500]);
  const slow = (seconds: number) =>
    site.serve('/robots.txt', `User-agent: *\nCrawl-delay: ${seconds}`, { 'content-type': 'text/plain' });
  slow(1);
  t.strictSame(await gaps(), [1000, 1000]);
  slow(600);
  const { job } = await add({ depth: 1 });
  const { delayMs } = await work(job.id, async () => false);
  t.equal(delayMs, 30_000);
  const { sites } = world.store;
  t.equal(await sites.forgetHosts(0, 100), 0);
  t.equal(await sites.forgetHosts(world.now() + DAY_MS, 100), 1, 'old pauses are swept');
});

t.test('a robots.txt that redirects to another host counts as missing', async (t) => {
  const dialled: string[] = [];
  const network = {
    async resolve(name: string) {
      dialled.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    },
    isPublic: () => true,
  };
  const { site, add, work } = await siteReadings(t, { network });
  site.on('/robots.txt', (_, response) =>
    response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
  );
  site.serve('/', linkedPage('Home'), HTML);
  t.match(await work((await add()).job.id), { read: 1 });
  t.strictSame(dialled, []);
});
