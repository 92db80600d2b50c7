import type { Test } from 'tap';
import { scriptedSite } from '../../../support/scripted-site.js';
import { linkedPage, siteReadings } from '../../../support/site-readings.js';
import t from '../../../support/t.js';
import { DOCS } from '../../../workers/crawl/local-site.js';

t.setTimeout(120_000);

const HTML = { 'content-type': 'text/html; charset=utf-8' };

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

const DAY_MS = 86_400_000;
const letters = [...'abcdefghij'];

/** A site of eleven pages, which has been read. */
async function smallSite(t: Test) {
  const readings = await siteReadings(t);
  const { site, add, work } = readings;
  site.serve(
    '/',
    linkedPage(
      'Home',
      letters.map((letter) => `/${letter}`),
    ),
    HTML,
  );
  for (const letter of letters) site.serve(`/${letter}`, linkedPage(`Letter ${letter}`), HTML);
  const { siteId, job } = await add();
  t.equal((await work(job.id)).read, 11);
  const vanish = (...paths: string[]): void => {
    for (const path of paths) site.serve(path, 'gone', HTML, 410);
  };
  return { ...readings, siteId, vanish };
}

t.test('a refresh reads changed and new pages, and deletes what two readings a day apart miss', async (t) => {
  const { site, world, siteId, refresh, stored, vanish } = await smallSite(t);
  site.serve('/a', linkedPage('Letter a', ['/new']), HTML);
  site.serve('/new', linkedPage('New'), HTML);
  vanish('/b');
  site.serve('/c', linkedPage('Letter c', [], '<meta name="robots" content="noindex">'), HTML);
  site.serve('/d', 'broken', HTML, 500);
  const first = await refresh(siteId);
  t.match(first, { read: 2, unchanged: 7, suspect: false, deleted: { count: 0 } });
  t.ok((await stored()).includes('/new'));
  world.pass(DAY_MS / 2);
  t.equal((await refresh(siteId)).deleted.count, 0, 'too early');
  site.serve('/c', linkedPage('Letter c'), HTML);
  world.pass(DAY_MS);
  const third = await refresh(siteId);
  t.strictSame(third.deleted, { count: 1, examples: [`${DOCS}/b`] }, 'a good reading in between counts');
  const left = ['/', ...letters.filter((letter) => letter !== 'b').map((letter) => `/${letter}`), '/new'];
  t.strictSame(await stored(), left.sort());
});

t.test('an outage that answers 404 for many pages deletes nothing unless confirmed', async (t) => {
  const { world, siteId, refresh, stored, vanish } = await smallSite(t);
  vanish('/a', '/b', '/c', '/d');
  for (let n = 0; n < 3; n += 1) {
    t.match(await refresh(siteId), { gone: 4, suspect: true, deleted: { count: 0 } });
    world.pass(2 * DAY_MS);
  }
  t.equal((await stored()).length, 11);
  t.match(await refresh(siteId, true), { deleted: { count: 4 } });
  t.equal((await stored()).length, 7);
});

t.test('pages deleted by hand stay away, and pages added by URL stay', async (t) => {
  const { world, siteId, refresh, stored, vanish } = await smallSite(t);
  const { agents, agentId, store } = world;
  const documents = await store.reads.sources(world.workspaceId, agentId, { limit: 20, before: null }, null);
  const idOf = (path: string) =>
    documents?.rows.find(({ metadata }) => metadata.url === DOCS + path)?.id ?? '';
  await agents.send(agentId, { kind: 'deleteDocument', documentId: idOf('/a') });
  await agents.send(agentId, { kind: 'indexUrl', url: `${DOCS}/b`, requestId: 'r' });
  world.sent.length = 0;
  vanish('/b');
  t.strictSame((await refresh(siteId)).reasons, { removed_by_hand: 1 });
  world.pass(2 * DAY_MS);
  t.equal((await refresh(siteId)).deleted.count, 0);
  const pages = await stored();
  t.notOk(pages.includes('/a'));
  t.ok(pages.includes('/b'));
  await agents.send(agentId, { kind: 'deleteSite', siteId, sources: true });
  t.strictSame(await stored(), ['/b'], 'its own pages go with it');
  t.equal(await world.storageBytes(), (await store.reads.document(agentId, idOf('/b')))?.bytes);
});

t.test('a vanished page that is deleted by hand before the reading ends stays away', async (t) => {
  const { site, world, siteId, refresh, vanish } = await smallSite(t);
  const { agents, agentId, store } = world;
  const { rows = [] } =
    (await store.reads.sources(world.workspaceId, agentId, { limit: 20, before: null }, null)) ?? {};
  const documentId = rows.find(({ metadata }) => metadata.url === `${DOCS}/b`)?.id ?? '';
  vanish('/b');
  // Read after it.
  site.on('/j', async (_, response) => {
    await agents.send(agentId, { kind: 'deleteDocument', documentId });
    response.writeHead(200, HTML).end(linkedPage('Letter j'));
  });
  t.equal((await refresh(siteId, true)).deleted.count, 0);
  site.serve('/b', linkedPage('Letter b'), HTML);
  site.serve('/j', linkedPage('Letter j'), HTML);
  t.strictSame((await refresh(siteId)).reasons, { removed_by_hand: 1 });
});

t.test('pages added by URL count as vanished, and are never deleted', async (t) => {
  const { world, siteId, refresh, stored, vanish } = await smallSite(t);
  const added = ['/b', '/c', '/d'];
  for (const path of added)
    await world.agents.send(world.agentId, { kind: 'indexUrl', url: DOCS + path, requestId: 'r' });
  world.sent.length = 0;
  vanish('/a', ...added);
  for (let n = 0; n < 2; n += 1) {
    t.match(await refresh(siteId), { gone: 4, suspect: true, deleted: { count: 0 } });
    world.pass(2 * DAY_MS);
  }
  t.match(await refresh(siteId, true), { deleted: { count: 1, examples: [`${DOCS}/a`] } });
  t.equal((await stored()).length, 10);
  t.equal((await world.store.sites.find(world.agentId, siteId))?.pages, 7, 'they are single pages now');
  t.match(await refresh(siteId), { gone: 0, suspect: false });
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

t.test('a URL that was not found and has no link any more is forgotten', async (t) => {
  const { site, add, work, refresh } = await siteReadings(t);
  site.serve('/', linkedPage('Home', ['/missing']), HTML);
  const { siteId, job } = await add();
  t.match(await work(job.id), { found: 2, failed: 1, waiting: 0 });
  site.serve('/', linkedPage('Home'), HTML);
  t.match(await refresh(siteId), { found: 1, failed: 0, waiting: 0 });
});

t.test('links beyond the frontier are found later, although the page is unchanged', async (t) => {
  const { site, add, work, refresh } = await siteReadings(t);
  const home = linkedPage(
    'Home',
    Array.from({ length: 15 }, (_, n) => `/${n}`),
  );
  site.on('/', (request, response) =>
    request.headers['if-none-match'] === '"1"'
      ? response.writeHead(304).end()
      : response.writeHead(200, { ...HTML, etag: '"1"' }).end(home),
  );
  const few = await add({ limit: 1 });
  t.match((await work(few.job.id)).reasons, { frontier: 6 });
  const more = await add({ limit: 100 });
  t.match(await work(more.job.id), { unchanged: 1, found: 16, failed: 15 });
  await refresh(more.siteId);
  t.equal(site.seen.findLast(({ path }) => path === '/')?.headers['if-none-match'], '"1"');
});

t.test('a schedule refreshes sites, and their pages are read once', async (t) => {
  const { world, site, work, stored } = await smallSite(t);
  const { agents, agentId, store } = world;
  const schedule = { every: 24, unit: 'hours' };
  const patch = { training: { autoRetrainEnabled: true }, schedule };
  await agents.send(agentId, { kind: 'configure', patch });
  world.pass(DAY_MS);
  site.serve('/a', linkedPage('Letter a is new'), HTML);
  const visits = site.seen.length;
  await agents.send(agentId, { kind: 'autoRetrain', intervalSeconds: 1 });
  const jobs = await store.reads.jobs(agentId, { limit: 10, before: null });
  const refreshed = jobs.find(({ type, scheduled }) => type === 'index_site' && scheduled);
  t.match(await work(refreshed?.id ?? 0), { read: 1, unchanged: 10 });
  t.notOk(jobs.some(({ type }) => type === 'retrain'));
  t.ok(site.seen.length - visits <= 13, 'with robots.txt and a sitemap');
  t.equal((await stored()).length, 11);
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
