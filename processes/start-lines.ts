import { installedVersion } from '../config/installation.js';
import type { Settings } from '../config/settings.schema.js';
import { whereItWorks } from '../config/where-it-works.js';
import type { Log } from '../core/ports/log.port.js';
import { kindsOf } from '../core/ports/plugin.port.js';

const isTerminal = (): boolean => process.stdout.isTTY === true;

/**
 * Logs one line about this process before anything can fail. At a terminal, `printReady` informs the user instead.
 */
export function logStart(settings: Settings, log: Log): void {
  if (isTerminal()) return;
  const { database, ...plugins } = whereItWorks(settings);
  const isApi = settings.roles.includes('api');
  const uses = Object.fromEntries(kindsOf(isApi ? 'api' : 'worker').map((kind) => [kind, plugins[kind]]));
  const where = isApi ? { database, ...uses } : uses;
  log.info(
    { version: installedVersion(), node: process.versions.node, roles: settings.roles, ...where },
    'starting Cadre',
  );
}

/** Prints for the user at a terminal what is running and what to do next. */
export function printReady(settings: Settings, origin: string, pages: ServedPages): void {
  if (isTerminal()) process.stdout.write(readyText(settings, origin, pages));
}

/** Web pages that are enabled and built. */
export interface ServedPages {
  console: boolean;
  reference: boolean;
}

export function readyText(settings: Settings, origin: string, pages: ServedPages): string {
  const { database, queue, storage, model } = whereItWorks(settings);
  const rows = {
    database,
    queue,
    storage,
    model,
    API: `${origin}/api/v2`,
    ...(pages.reference ? { reference: `${origin}/docs` } : {}),
    OpenAPI: `${origin}/openapi.json`,
    ...(pages.console ? { console: `${origin}/console` } : {}),
  };
  return [
    '',
    `  Cadre ${installedVersion()} runs on Node ${process.versions.node}, as ${settings.roles.join(' and ')}.`,
    '',
    ...Object.entries(rows).map(([name, value]) => `    ${name.padEnd(10)} ${value}`),
    '',
    `  Next: create an agent and ask it a question, ${pages.console ? 'in the console or ' : ''}as in README.md. Ctrl-C stops Cadre;`,
    '  `npx cadre doctor` finds out what is wrong.',
    '',
    '',
  ].join('\n');
}
