import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';
import { projectFile } from '../../support/project-folder.js';

/** Screenshots of tests; not in the repository. */
export const artefacts = fileURLToPath(projectFile('.tap/console'));

const names = ['chromium', 'chromium-browser', 'google-chrome'];

const found =
  process.env.CHROMIUM ||
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

const page = fileURLToPath(projectFile('dist/console/index.html'));

/** Launches the browser of this process, or returns why there is none. A browser is optional. */
async function launch(): Promise<Browser | string> {
  if (!existsSync(page)) return 'there is no dist/console: npm run build makes it';
  if (!found || !existsSync(found))
    return `there is no Chromium (${names.join(', ')}, or the one that CHROMIUM names)`;
  const launching = chromium.launch({
    executablePath: found,
    // Containers have no user namespaces, and little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
  });
  // On some machines, an installed browser cannot start.
  return launching.catch((error: Error) => `${found} does not start: ${error.message.split('\n')[0]}`);
}

const launched = await launch();

/** Why browser tests are skipped, or false. */
export const browserMissing = typeof launched === 'string' && launched;

/** Returns the headless Chromium of this process. The caller closes it. Throws if Chromium is missing. */
export function openBrowser(): Browser {
  if (typeof launched === 'string') throw new Error(launched);
  return launched;
}

const require = createRequire(import.meta.url);
const { source } = require('axe-core') as { source: string };

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Serious and critical findings of axe on a page or in a frame. */
export async function axeFindings(page: Page | Frame): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(source);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}
