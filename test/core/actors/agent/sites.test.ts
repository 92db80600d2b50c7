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
