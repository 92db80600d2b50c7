import { readdirSync, readFileSync } from 'node:fs';
import type { PageFiles } from '../core/http/web-page.js';
import type { Log } from '../core/ports/log.port.js';

/** Where `npm run build` puts pages, seen from the sources or from what was built of them. */
const built = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '../', import.meta.url);

/** A web page as it was built, in memory, by its address; null, with a warning, when it was not. */
export function readPageFiles(
  page: 'console' | 'docs',
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
