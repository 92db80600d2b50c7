import ipaddr from 'ipaddr.js';

/** Shortens an address to its network: /24 of IPv4, /48 of IPv6. Returns null for anything else. */
export function shortenedNetwork(network: string): string | null {
  const [address = ''] = network.split('/');
  if (!ipaddr.isValid(address)) return null;
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 24 : 48;
  const base = bits === 24 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${base.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}
