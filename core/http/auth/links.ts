import type { IncomingMessage } from 'node:http';
import type { OriginSettings } from './origins.js';
import { namedOrigins } from './origins.js';

/**
 * Returns a function that makes the link to a page for another person: below `http.publicUrl`, else below the requested
 * host if the settings allow it, else the path alone. An address of the connection would be of no use elsewhere.
 */
export function createLinks(settings: OriginSettings): (request: IncomingMessage, path: string) => string {
  const named = namedOrigins(settings.allowedHosts);
  return ({ headers }, path) => `${settings.publicUrl ?? named(headers.host) ?? ''}${path}`;
}
