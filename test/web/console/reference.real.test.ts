import { join } from 'node:path';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { artefacts, axeFindings, browserMissing } from './browser.js';
import { openConsole } from './open-console.js';

t.test(
  'the API reference works in a browser, from this origin only, in both colour schemes',
  { skip: browserMissing },
  async (t) => {
    const { page, server, asked, complaints } = await openConsole(t, { console: { enabled: false } });
    const shown = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as {
      info: { description: string };
      paths: { '/agents': { post: { description: string } } };
    };
    // The first words: later ones may be shown as code.
    const opening = (text: string) => text.slice(0, text.search(/[:;,.`]/));
    await page.goto(`${server.baseUrl}/`);
    t.equal(page.url(), `${server.baseUrl}/docs`);
    await page.getByText(opening(shown.info.description)).last().waitFor();
    await page.goto(`${server.baseUrl}/docs#?route=post-/agents`);
    await page.getByText(opening(shown.paths['/agents'].post.description)).first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours in transition have low contrast.
      let before = await page.screenshot();
      await until('the colours have changed', async () => {
        const now = await page.screenshot({ path: join(artefacts, `reference-${colorScheme}.png`) });
        const isSame = now.equals(before);
        before = now;
        return isSame || null;
      });
      t.same(await axeFindings(page), [], `axe, ${colorScheme}`);
    }
    t.same(complaints, [], 'the browser complains of nothing');
    t.same(
      asked.filter((url) => !url.startsWith(server.baseUrl) && !url.startsWith('data:')),
      [],
      'nothing is asked of others',
    );
  },
);
