import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { artefacts, axeFindings } from './browser.js';
import { DESKTOP, PHONE } from './open-console.js';

/** Checks a page in both colour schemes and both sizes; saves screenshots. */
export async function look(t: Test, page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      await page.setViewportSize(viewport);
      await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(artefacts, `${name}-${size}-${colorScheme}.png`) });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      t.ok(Number(width) <= viewport.width, `${name} fits ${viewport.width} pixels`);
    }
    t.same(await axeFindings(page), [], `axe on ${name}, ${colorScheme}`);
  }
}
