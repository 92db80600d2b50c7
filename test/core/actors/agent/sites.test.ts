import { HTML, letters, linkedPage, siteReadings } from '../../../support/site-readings.js';
import t from '../../../support/t.js';
import { DOCS } from '../../../workers/crawl/local-site.js';

t.test('a site of a few hundred pages with traps: each page once, the rest with its reason', async (t) => {
  const { site, add, work, stored } = await siteReadings(t);
  const sections = [...'abcdefghijkl'].map((letter) => `/topic-${letter}`);
  const names = [...'abcdefghijkl'].map((letter) => `${letter}-page`);
  const own = new Set<string>();
  for (const section of sections) {
    const pages = names.map((name) => `${section}/${name}`);
    site.serve(section, linkedPage(`Section ${section}`, [...pages, '/']), HTML);
    own.add(section);
    for (const path of pages) {
      site.serve(path, linkedPage(`Page ${path}`, [section, '/', `${path}?b=2&a=1`, '/cal/1']), HTML);
      own.add(path);
    }
  }
  const traps = [
    '/cal/1',
    '/facets?a=1&b=1',
    '/loop',
    '/twins',
    '/secret',
    '/hidden',
    '/alias',
    '/photo.jpg',
  ];
  site.serve(
    '/',
    linkedPage('Home', [...sections, ...traps, 'https://elsewhere.example/', '/drafts/x']),
    HTML,
  );
  own.add('/');
  site.serve('/robots.txt', 'User-agent: *\nDisallow: /secret', { 'content-type': 'text/plain' });
  // A calendar without end, and facets in every combination.
  for (let n = 1; n <= 60; n += 1)
    site.serve(
      `/cal/${n}`,
      linkedPage(
        `Day ${n}`,
        [1, 2, 3, 4, 5, 6].map((more) => `/cal/${n + more}`),
      ),
      HTML,
    );
  const facets = Array.from({ length: 60 }, (_, n) => `/facets?a=${n}&b=${n % 7}`);
  for (const path of facets) site.serve(path, linkedPage(`Facet ${path}`, facets), HTML);
  site.serve('/facets?a=1&b=1', linkedPage('Facet first', facets), HTML);
  for (const path of ['/loop', '/loop/loop', '/loop/loop/loop'])
    site.serve(path, linkedPage(`Loop ${path}`, [`${path}/loop`]), HTML);
  site.serve('/twins', linkedPage('Twins', ['/twin-a', '/twin-b', '/moved']), HTML);
  for (const path of ['/twin-a', '/twin-b']) site.serve(path, linkedPage('The same twin'), HTML);
  site.on('/moved', (_, response) => response.writeHead(302, { location: '/twins' }).end());
  site.serve('/hidden', linkedPage('Hidden', ['/behind'], '<meta name="robots" content="noindex">'), HTML);
  site.serve('/behind', linkedPage('Behind', ['/never'], '<meta name="robots" content="nofollow">'), HTML);
  site.serve('/alias', linkedPage('Alias', [], `<link rel="canonical" href="${DOCS}/original">`), HTML);
  site.serve('/original', linkedPage('Original'), HTML);
  for (const path of ['/loop', '/loop/loop', '/twins', '/behind', '/original']) own.add(path);

  const { job, siteId } = await add({ depth: 5, limit: 500, exclude: ['/drafts/**'] });
  const reading = await work(job.id);
  t.equal(reading.job.status, 'completed');
  const pages = await stored();
  t.strictSame(
    [...own].filter((path) => !pages.includes(path)),
    [],
    'every page of its own is stored',
  );
  const twins = pages.filter((path) => path.startsWith('/twin-'));
  t.equal(twins.length, 1, 'the same title and text is stored once');
  t.equal(pages.filter((path) => path.startsWith('/cal/')).length, 20, 'a calendar ends');
  t.equal(pages.filter((path) => path.startsWith('/facets')).length, 20, 'facets end');
  t.equal(pages.length, own.size + 41, 'nothing else');
  const often = site.seen
    .filter(({ path }) => site.visits(path) > 1 && path !== '/twins')
    .map(({ path }) => path);
  t.strictSame(often, [], 'no page is fetched twice');
  t.equal(
    site.visits('/drafts/x') + site.visits('/secret') + site.visits('/photo.jpg') + site.visits('/never'),
    0,
  );
  const { reasons } = reading;
  t.match(reasons, {
    robots: 1,
    noindex: 1,
    nofollow: 1,
    canonical: 1,
    repeated_path: 1,
    host: 1,
    excluded: 1,
    type: 1,
  });
  t.match(reasons, { pattern: Number, duplicate: Number });
  t.equal(reading.read, pages.length);
  t.match(reading, { siteId, unchanged: 0, waiting: 0, suspect: false });
  t.equal(reading.failed, 144, 'the links with parameters lead nowhere');
});

t.test('a redirect to a page that cannot be stored: its target has failed, and counts once', async (t) => {
  const { site, add, work, stored } = await siteReadings(t);
  site.serve('/', linkedPage('Home', ['/a']), HTML);
  site.on('/a', (_, response) => response.writeHead(302, { location: '/b' }).end());
  site.serve(
    '/b',
    '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr><p>proxy</p>',
    HTML,
  );
  const { job } = await add();
  const reading = await work(job.id);
  t.match(reading, { failed: 1, waiting: 0, fetched: 2, found: 3 });
  t.strictSame(reading.reasons, { duplicate: 1 });
  t.strictSame(await stored(), ['/']);
});

t.test('a refused first visit does not settle where the site is', async (t) => {
  const { site, world, add, work, refresh, stored } = await siteReadings(t);
  const robots = (text: string) => site.serve('/robots.txt', text, { 'content-type': 'text/plain' });
  robots('User-agent: *\nDisallow: /');
  site.serve('/', linkedPage('Home'), HTML);
  const { siteId, job } = await add();
  t.match((await work(job.id)).reasons, { robots: 1 });
  t.equal((await world.store.sites.find(world.agentId, siteId))?.origin, null);
  robots('');
  await refresh(siteId);
  t.equal((await world.store.sites.find(world.agentId, siteId))?.origin, DOCS);
  t.strictSame(await stored(), ['/']);
});

t.test('workers share the robots.txt of a reading, also if its first page has failed', async (t) => {
  const { site, add, work, refresh, stored } = await siteReadings(t, { workers: 3 });
  const robots = (text: string) => site.serve('/robots.txt', text, { 'content-type': 'text/plain' });
  robots(`User-agent: *\nDisallow: /secret\nCrawl-delay: 1\nSitemap: ${DOCS}/pages.xml`);
  site.serve('/pages.xml', `<urlset><url><loc>${DOCS}/listed</loc></url></urlset>`, {
    'content-type': 'application/xml',
  });
  const pages = ['/a', '/b', '/c', '/d', '/listed'];
  site.on('/', (_, response, visit) =>
    visit % 2 === 1
      ? response.writeHead(503).end()
      : response.writeHead(200, HTML).end(linkedPage('Home', [...pages, '/secret'])),
  );
  for (const path of pages) site.serve(path, linkedPage(`Page ${path}`), HTML);
  const { siteId, job } = await add();
  t.match(await work(job.id), { read: 6, failed: 0, delayMs: 1000, reasons: { robots: 1 } });
  t.equal(site.visits('/robots.txt'), 1);
  robots('User-agent: *\nDisallow: /a\nDisallow: /secret');
  t.match(await refresh(siteId), { read: 0, unchanged: 5, failed: 0 });
  t.equal(site.visits('/robots.txt'), 2, 'each reading reads it anew');
  t.equal(site.visits('/pages.xml'), 1);
  t.equal((await stored()).length, 6);
});

t.test('X-Robots-Tag applies by line, and up to the next crawler', async (t) => {
  const { site, add, work, stored } = await siteReadings(t);
  const tags: Record<string, string | string[]> = {
    '/others': 'otherbot: nofollow, noindex',
    '/lines': ['otherbot: all', 'noindex'],
    '/named': 'otherbot: all, cadrebot: max-snippet: 20, noindex',
    '/dated': 'unavailable_after: Saturday, 25 Nov 2045 15:00:00 GMT, noindex',
    '/valued': 'max-image-preview: large, noindex',
    '/spaces': `otherbot${' '.repeat(10_000)}`,
  };
  site.serve('/', linkedPage('Home', Object.keys(tags)), HTML);
  for (const [path, tag] of Object.entries(tags))
    site.on(path, (_, response) =>
      response.writeHead(200, { ...HTML, 'x-robots-tag': tag }).end(linkedPage(`Page ${path}`)),
    );
  const { job } = await add();
  t.match((await work(job.id)).reasons, { noindex: 4 });
  t.strictSame(await stored(), ['/', '/others', '/spaces']);
});

t.test('a redirect to a URL that is too long to store fails', async (t) => {
  const { site, add, work, stored } = await siteReadings(t);
  const long = `/long?${'x'.repeat(3000)}`;
  site.serve('/', linkedPage('Home', ['/a']), HTML);
  site.on('/a', (_, response) => response.writeHead(302, { location: long }).end());
  site.serve(long, linkedPage('Long'), HTML);
  const { job } = await add();
  t.match(await work(job.id), { failed: 1, read: 1 });
  t.strictSame(await stored(), ['/']);
});

t.test('a sitemap that lists known pages exempts them from the limit for their pattern', async (t) => {
  const { site, add, work, refresh, stored } = await siteReadings(t);
  const paths = Array.from({ length: 30 }, (_, n) => `/cal/${n + 1}`);
  site.serve('/', linkedPage('Home', paths), HTML);
  for (const path of paths) site.serve(path, linkedPage(`Day ${path}`), HTML);
  const { siteId, job } = await add();
  t.match((await work(job.id)).reasons, { pattern: 10 });
  const urls = paths.map((path) => `<url><loc>${DOCS}${path}</loc></url>`).join('');
  site.serve('/sitemap.xml', `<urlset>${urls}</urlset>`, { 'content-type': 'application/xml' });
  t.match(await refresh(siteId), { read: 10, reasons: {} });
  t.equal((await stored()).length, 31);
});

t.test('a page that is not stored after all ends the pause for a full storage', async (t) => {
  const { site, world, add, work, stored } = await siteReadings(t, { storageBytes: 1000 });
  site.serve('/', linkedPage('Home', ['/big']), HTML);
  site.serve('/big', linkedPage(`Big ${'and bigger '.repeat(200)}`), HTML);
  site.serve('/a', linkedPage('Small'), HTML);
  const { job } = await add();
  const pausedAt = async () => (await world.store.sites.reading(job.id))?.pausedAt ?? null;
  const paused = await work(job.id, async () => (await pausedAt()) === null);
  t.equal(paused.job.finishedAt, null);
  site.serve('/big', linkedPage('Big', ['/a'], '<meta name="robots" content="noindex">'), HTML);
  t.strictSame((await work(job.id)).reasons, { noindex: 1 });
  t.strictSame(await stored(), ['/', '/a']);
});

t.test('limits: pages, frontier, depth 0, storage, cancellation', async (t) => {
  const { site, add, work, stored, world } = await siteReadings(t, { storageBytes: 2000 });
  const { agents, agentId } = world;
  const paths = Array.from({ length: 60 }, (_, n) => `/${letters[n % 10]}${letters[Math.floor(n / 10)]}`);
  site.serve('/', linkedPage('Home', paths), HTML);
  for (const path of paths) site.serve(path, linkedPage(`Page ${path}`), HTML);
  const alone = await add({ depth: 0 });
  t.match(await work(alone.job.id), { read: 1, fetched: 1, reasons: { depth: 60 } });
  t.equal(site.visits('/sitemap.xml'), 0);
  const few = await add({ limit: 4 });
  t.equal(few.siteId, alone.siteId, 'the same address is the same site');
  t.match(await work(few.job.id), { read: 3, unchanged: 1, reasons: { limit: 57 } });

  const many = await add({ limit: 100 });
  let cancelled = false;
  const full = await work(many.job.id, async () => (await world.storageBytes()) < 1900);
  t.equal(full.job.finishedAt, null);
  const paused = work(many.job.id, async () => {
    const reading = await world.store.sites.reading(many.job.id);
    if (reading?.pausedAt === null) return true;
    cancelled = true;
    return false;
  });
  t.match(await paused, { waiting: Number, job: { status: 'running' } });
  t.ok(cancelled, 'it pauses while the storage is full');
  const stopped = await agents.send(agentId, { kind: 'cancelJob', jobId: many.job.id });
  t.equal(stopped.job?.status, 'cancelled');
  const again = await add({ limit: (await stored()).length + 1 });
  const given = await work(again.job.id);
  t.ok(given.reasons.storage_full, 'after an hour it gives up');
  t.equal(given.job.status, 'completed');
  t.ok((await world.storageBytes()) <= 2000);
  t.equal((await stored()).length, given.read + given.unchanged);
});
