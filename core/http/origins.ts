import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface OriginSettings {
  publicUrl: string | null;
  /** `[https://]host[:port]`, checked with the settings; without a port any port will do. */
  allowedHosts: readonly string[];
}

const HOST = /^(?<scheme>https?:\/\/)?(?<host>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(?<port>[0-9]{1,5}))?$/i;

/**
 * The origin under which a client reaches us, for upload URLs. The Host header counts only where the settings
 * allow that host; else it is the public URL, or the address at which the connection arrived.
 */
export function createOrigins({
  publicUrl,
  allowedHosts,
}: OriginSettings): (from: IncomingMessage) => string {
  const allowed = allowedHosts.map((text) => HOST.exec(text.toLowerCase())?.groups ?? {});

  function named(header: string | undefined): string | null {
    const sent = HOST.exec(header?.toLowerCase() ?? '')?.groups;
    if (sent?.host === undefined || sent.scheme !== undefined) return null;
    const entry = allowed.find(
      ({ host, port }) => host === sent.host && (port === undefined || port === sent.port),
    );
    const url = entry && `${entry.scheme ?? 'http://'}${header}`;
    return url && URL.canParse(url) ? new URL(url).origin : null;
  }

  return ({ headers, socket }) => named(headers.host) ?? publicUrl ?? arrival(socket);
}

/** Nobody can connect to a wildcard address, but to that of a connection. IPv4 may come mapped into IPv6. */
function arrival({ localAddress = 'localhost', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:(?=[0-9.]+$)/, '');
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}
