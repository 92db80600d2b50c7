import { readdirSync, readFileSync } from 'node:fs';
import type { PageFiles } from '../core/http/pages/web-page.js';
import type { Log } from '../core/ports/log.port.js';

/**
 * Output folder of `npm run build` for pages. Its place relative to this file depends on whether this file is built.
 */
const built = new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '../', import.meta.url);

/** Reads the files of a built web page, by path. Returns null and logs a warning if it was not built. */
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
    log.warn({ err: cause }, `the page /${page} is not built: run npm run build`);
    return null;
  }
}
