import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { artefacts, axeFindings } from './browser.js';
import { DESKTOP, PHONE } from './open-console.js';

/** In the browser: buttons whose words are broken, and controls above a list that cover each other. */
const cramped = `(() => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const broken = seen('main button').filter((one) => one.innerText.length < 20 && one.offsetHeight > 60);
  const boxes = seen('.find :is(button, input, select)').map((one) => [one, one.getBoundingClientRect()]);
  const covered = boxes.filter(([one, a]) =>
    boxes.some(([other, b]) =>
      one !== other && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
  return [...broken, ...covered.map(([one]) => one)].map((one) => one.outerHTML);
})()`;

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
      t.same(await page.evaluate(cramped), [], `${name} has room for its controls, ${size}`);
    }
    t.same(await axeFindings(page), [], `axe on ${name}, ${colorScheme}`);
  }
}
