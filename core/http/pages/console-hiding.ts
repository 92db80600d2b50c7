import type { Context } from 'koa';
import { CONSOLE } from './serve-console.js';

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);

/**
 * Returns whether a request is for the console or its roads at the host of the widget, if the service has another one: pages
 * of the widget's host must not share an origin with the console.
 */
export function consoleHiding(
  publicUrl: string | null,
  widgetUrl: string | null,
): (request: Pick<Context, 'path' | 'headers'>) => boolean {
  if (publicUrl === null || widgetUrl === null) return () => false;
  const { protocol, host } = new URL(widgetUrl);
  if (hostOf(publicUrl) === host) return () => false;
  return ({ path, headers }) =>
    (path === CONSOLE || path.startsWith(`${CONSOLE}/`)) &&
    hostOf(`${protocol}//${headers.host ?? ''}`) === host;
}
