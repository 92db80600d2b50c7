import { siteKills } from '../support/site-kills.js';
import t from '../support/t.js';

t.test('a site is read over kills: each page is stored once, and the figures are exact', async (t) => {
  const kills = 2;
  const figures = await siteKills(100, kills);
  t.match(figures, { status: 'completed', pages: 51, missing: 0, doubled: 0, failed: 0, waiting: 0 });
  t.equal(figures.read, figures.sources);
  t.equal(figures.sources, 51 + 1 + 20, 'one of two twins, and twenty days of a calendar');
  // At most eight pages are under way at a kill.
  t.ok(figures.extraFetches <= 8 * kills, JSON.stringify(figures));
});
