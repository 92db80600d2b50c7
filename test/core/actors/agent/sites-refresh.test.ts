import type { Test } from 'tap';
import { HTML, letters, linkedPage, siteReadings } from '../../../support/site-readings.js';
import t from '../../../support/t.js';
import { DOCS } from '../../../workers/crawl/local-site.js';

const DAY_MS = 86_400_000;

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

t.test('a URL that was not found and has no link any more is forgotten', async (t) => {
  const { site, add, work, refresh } = await siteReadings(t);
  site.serve('/', linkedPage('Home', ['/missing']), HTML);
  const { siteId, job } = await add();
  t.match(await work(job.id), { found: 2, failed: 1, waiting: 0 });
  site.serve('/', linkedPage('Home'), HTML);
  t.match(await refresh(siteId), { found: 1, failed: 0, waiting: 0 });
});

t.test('links of an unchanged page lead to pages that were missing or deleted', async (t) => {
  const { site, world, add, work, refresh, stored } = await siteReadings(t);
  const home = linkedPage(
    'Home',
    ['missing', ...letters].map((name) => `/${name}`),
  );
  site.on('/', (request, response) =>
    request.headers['if-none-match'] === '"1"'
      ? response.writeHead(304).end()
      : response.writeHead(200, { ...HTML, etag: '"1"' }).end(home),
  );
  for (const letter of letters) site.serve(`/${letter}`, linkedPage(`Letter ${letter}`), HTML);
  const { siteId, job } = await add();
  t.match(await work(job.id), { read: 11, failed: 1 });
  const { rows = [] } =
    (await world.store.reads.sources(world.workspaceId, world.agentId, { limit: 20, before: null }, null)) ??
    {};
  const documentId = rows.find(({ metadata }) => metadata.url === `${DOCS}/b`)?.id ?? '';
  await world.agents.send(world.agentId, { kind: 'deleteDocument', documentId });
  site.serve('/a', 'gone', HTML, 410);
  t.match(await refresh(siteId, true), { deleted: { count: 1 }, failed: 2 });
  for (const path of ['/a', '/missing']) site.serve(path, linkedPage(`Back ${path}`), HTML);
  t.match(await refresh(siteId), { read: 2, failed: 0, reasons: { removed_by_hand: 1 } });
  t.equal(site.seen.findLast(({ path }) => path === '/')?.headers['if-none-match'], '"1"');
  t.strictSame(
    await stored(),
    ['/', ...letters.filter((letter) => letter !== 'b').map((letter) => `/${letter}`), '/missing'].sort(),
  );
});

t.test('stored pages that narrower rules leave out stay as they are', async (t) => {
  const { site, world, siteId, add, work, refresh, stored, vanish } = await smallSite(t);
  const all = await stored();
  const visits = site.visits('/a') + site.visits('/b');
  site.serve('/a', linkedPage('Letter a has changed'), HTML);
  vanish('/b');
  const rules = { depth: 2, limit: 5, include: [], exclude: ['/a', '/b'] };
  await world.agents.send(world.agentId, { kind: 'changeSite', siteId, rules });
  site.serve('/c', linkedPage('Letter c', ['/new']), HTML);
  for (let n = 0; n < 3; n += 1) {
    t.match(await refresh(siteId), { failed: 0, gone: 0, reasons: { excluded: 2, limit: 1 } });
    world.pass(2 * DAY_MS);
  }
  t.strictSame(await stored(), all);
  t.equal(site.visits('/a') + site.visits('/b'), visits, 'they are not fetched');
  t.ok(site.visits('/c') >= 4, 'others are');
  const wide = await add({ limit: 20 });
  t.equal(wide.siteId, siteId);
  t.match(await work(wide.job.id), { read: 1, failed: 2 }, 'they are read again under wider rules');
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
