import { readdirSync, readFileSync } from 'node:fs';
import type { ConsoleFiles } from '../core/http/serve-console.js';
import type { Log } from '../core/ports/log.port.js';

/** Where `npm run build` puts the console, seen from the sources or from what was built of them. */
const built = new URL(import.meta.url.endsWith('.ts') ? '../dist/console/' : '../console/', import.meta.url);

/** The console as it was built, in memory; null, with a warning, when it was not. */
export function readConsoleFiles(log: Log, folder: URL = built): ConsoleFiles | null {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /\.\w+$/.test(name));
    return new Map(names.map((name) => [name, readFileSync(new URL(name, folder))]));
  } catch (cause) {
    log.warn({ err: cause }, 'there is no console at /console: build it with npm run build');
    return null;
  }
}
