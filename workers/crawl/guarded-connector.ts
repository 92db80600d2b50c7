import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { Network } from './network.js';

/** The address to connect to is not public. */
export class AddressRefused extends Error {
  constructor(hostname: string) {
    super(`${hostname} leads to an address that is not public`);
    this.name = 'AddressRefused';
  }
}

/**
 * A lookup for sockets that rejects a name if any of its addresses is not public. The socket connects to the address
 * that was checked, so a name that resolves differently a second time (DNS rebinding) gains nothing.
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

/** Connects to public addresses only. Sockets do not look up IP literals, so these are checked here. */
export const guardedConnector = (network: Network, timeoutMs: number): buildConnector.connector => {
  const connect = buildConnector({ lookup: guardedLookup(network), timeout: timeoutMs });
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !network.isPublic(literal)) callback(new AddressRefused(literal), null);
    else connect(options, callback);
  };
};
