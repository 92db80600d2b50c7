import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '../../core/knowledge/urls/public-address.js';

/** The crawler's access to the network. Tests replace it. */
export interface Network {
  /** Resolves all addresses of a name. Rejects like `dns.lookup`. */
  resolve(hostname: string): Promise<LookupAddress[]>;
  /** Returns whether a connection to the address is allowed. */
  isPublic(address: string): boolean;
}

export const systemNetwork: Network = {
  resolve: (hostname) => lookup(hostname, { all: true, verbatim: true }),
  isPublic: isPublicAddress,
};
