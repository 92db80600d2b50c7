import { readdirSync, readFileSync } from 'node:fs';
import type { PageFiles } from '../core/http/pages/web-page.js';
import type { Log } from '../core/ports/log.port.js';

/** Output folder of `npm run build` for pages, relative to the sources or to the built code. */
const built = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '../', import.meta.url);

/** Loads a built web page into memory, by address; null, with a warning, if it was not built. */
export function readPageFiles(
  page: 'console' | 'docs' | 'widget',
  log: Log,
  folder = new URL(`${page}/`, built),
): PageFiles | null {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /\.\w+$/.test(name));
    return new Map(names.map((name) => [name, readFileSync(new URL(name, folder))]));
  } catch (cause) {
    log.warn({ err: cause }, `there is no page at /${page}: build it with npm run build`);
    return null;
  }
}
