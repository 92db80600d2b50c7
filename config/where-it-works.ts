import { byKind, type PluginKind } from '../core/ports/plugin.port.js';
import type { JsonObject } from '../core/schemas/json.js';
import { databaseUrlOf, fileOf, isEmbedded } from './database-url.js';
import type { Settings } from './settings.schema.js';
import { withoutPasswords } from './without-passwords.js';

/** Descriptions of the services that the installation uses, without secrets. */
export type WhereItWorks = Record<'database' | PluginKind, string>;

/** Decodes percent-encoding. A malformed escape stays unchanged, because connecting reports it later. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Description for `ssl-mode=PREFERRED`, with which only an open connection shows whether it is encrypted. */
export const TLS_IF_OFFERED = 'TLS if the server offers it';

function databaseInWords(url: string): string {
  if (isEmbedded(url)) return `SQLite, ${fileOf(url)}`;
  const { hostname, port, pathname, searchParams } = new URL(url);
  const mode = searchParams.get('ssl-mode')?.toUpperCase() ?? 'DISABLED';
  const encryption = { DISABLED: 'not encrypted', PREFERRED: TLS_IF_OFFERED }[mode] ?? `TLS (${mode})`;
  return `MySQL at ${hostname}:${port || 3306}, database ${decoded(pathname.slice(1))}, ${encryption}`;
}

/**
 * Describes the addresses in a plugin's options, such as the host and virtual host of a broker or the endpoint of a
 * storage.
 */
function placeOf(options: JsonObject): string[] {
  return Object.values(options).flatMap((option) => {
    if (typeof option !== 'string') return [];
    const [, endpoint] = /\bBlobEndpoint=([^;]+)/i.exec(option) ?? [];
    const [, account] = /\bAccountName=([^;]+)/i.exec(option) ?? [];
    if (endpoint !== undefined) return [`at ${String(withoutPasswords(endpoint))}`];
    if (account !== undefined) return [`account ${account}`];
    if (!option.includes('://') || !URL.canParse(option)) return [];
    const { protocol, host, pathname } = new URL(option);
    const vhost = pathname.length > 1 ? decoded(pathname.slice(1)) : '/';
    if (!protocol.startsWith('amqp')) return [`at ${host}`];
    const encryption = protocol === 'amqps:' ? 'TLS' : 'not encrypted';
    return [`at ${host}`, `virtual host "${vhost}"`, encryption];
  });
}

/** Returns the descriptions for start lines and `doctor`. */
export function whereItWorks(settings: Settings): WhereItWorks {
  const plugins = byKind((kind) => {
    const { use, options } = settings.plugins[kind];
    return [use, ...placeOf(options)].join(', ').replace(', at ', ' at ');
  });
  return { database: databaseInWords(databaseUrlOf(settings)), ...plugins };
}
