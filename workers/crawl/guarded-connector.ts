import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { Network } from './network.js';

/** The host resolves to an address that is not public. */
export class AddressRefused extends Error {
  constructor(hostname: string) {
    super(`${hostname} leads to an address that is not public`);
    this.name = 'AddressRefused';
  }
}

/**
 * Returns a lookup function for sockets that rejects a name if any of its addresses is not public. The socket
 * connects to the checked address, so DNS rebinding, where the name resolves to another address the second time, has
 * no effect.
 */
export const guardedLookup =
  (network: Network): LookupFunction =>
  (hostname, options, callback) => {
    network.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (!first) {
          callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '', 0);
        } else if (!addresses.every(({ address }) => network.isPublic(address))) {
          callback(new AddressRefused(hostname), '', 0);
        } else if (options.all) {
          callback(null, addresses);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };

/**
 * Returns a connector to public addresses only. It checks IP literals itself, because sockets do not look them up.
 */
export const guardedConnector = (network: Network, timeoutMs: number): buildConnector.connector => {
  const connect = buildConnector({ lookup: guardedLookup(network), timeout: timeoutMs });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !network.isPublic(literal)) callback(new AddressRefused(literal), null);
    else connect(options, callback);
  };
};
