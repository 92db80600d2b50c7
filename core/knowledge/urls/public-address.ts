import ipaddr from 'ipaddr.js';

/**
 * Blocks of the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) and multicast blocks (RFC 5771). The
 * most specific block that contains an address decides.
 */
const blocks: readonly [cidr: string, globallyReachable: boolean][] = [
  ['0.0.0.0/0', true],
  ['0.0.0.0/8', false],
  ['10.0.0.0/8', false],
  ['100.64.0.0/10', false],
  ['127.0.0.0/8', false],
  ['169.254.0.0/16', false],
  ['172.16.0.0/12', false],
  ['192.0.0.0/24', false],
  ['192.0.0.9/32', true],
  ['192.0.0.10/32', true],
  ['192.0.2.0/24', false],
  ['192.88.99.0/24', false],
  ['192.168.0.0/16', false],
  ['198.18.0.0/15', false],
  ['198.51.100.0/24', false],
  ['203.0.113.0/24', false],
  ['224.0.0.0/4', false],
  ['240.0.0.0/4', false],
  // Only 2000::/3 is allocated for global unicast. This excludes loopback, unique-local, link-local, site-local,
  // multicast, 100::/64, 64:ff9b:1::/48 and 5f00::/16.
  ['::/0', false],
  ['2000::/3', true],
  ['2001::/23', false],
  ['2001:1::1/128', true],
  ['2001:1::2/128', true],
  ['2001:1::3/128', true],
  ['2001:3::/32', true],
  ['2001:4:112::/48', true],
  ['2001:20::/28', true],
  ['2001:30::/28', true],
  ['2001:db8::/32', false],
  ['3fff::/20', false],
];

/** Prefixes of addresses that embed an IPv4 address, with the byte offset of that address. */
const carriers: readonly [cidr: string, ipv4At: number][] = [
  ['::ffff:0:0/96', 12],
  ['::/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const rules = blocks
  .map(([cidr, reachable]) => ({ range: ipaddr.parseCIDR(cidr), reachable }))
  .sort((a, b) => b.range[1] - a.range[1]);
const embeddings = carriers.map(([cidr, at]) => ({ range: ipaddr.IPv6.parseCIDR(cidr), at }));

const within = (address: Address, range: [Address, number]): boolean =>
  address.kind() === range[0].kind() && address.match(range);

const carriedIPv4 = (address: ipaddr.IPv6): ipaddr.IPv4 | null => {
  const carrier = embeddings.find(({ range }) => within(address, range));
  return carrier ? new ipaddr.IPv4(address.toByteArray().slice(carrier.at, carrier.at + 4)) : null;
};

const parse = (ip: string): Address | null => {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  return ip.includes(':') && !ip.includes('%') && ipaddr.IPv6.isValid(ip) ? ipaddr.IPv6.parse(ip) : null;
};

/**
 * Returns whether an address is reachable from the whole internet. Accepts dotted decimal IPv4, and IPv6 without
 * brackets or zone; returns false for other texts. Never throws.
 */
export const isPublicAddress = (ip: string): boolean => {
  const address = parse(ip);
  if (!address) return false;
  const judged = address instanceof ipaddr.IPv6 ? (carriedIPv4(address) ?? address) : address;
  return rules.find(({ range }) => within(judged, range))?.reachable ?? false;
};
