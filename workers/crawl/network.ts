import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '../../core/knowledge/public-address.js';

/** What the client needs to know about the network. Tests bring their own. */
export interface Network {
  /** All addresses of a name. Rejects like `dns.lookup`. */
  resolve(hostname: string): Promise<LookupAddress[]>;
  /** Whether a connection to the address is allowed. */
  isPublic(address: string): boolean;
}

export const systemNetwork: Network = {
  resolve: (hostname) => lookup(hostname, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
};
