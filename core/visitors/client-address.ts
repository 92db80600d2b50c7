import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface ClientAddress {
  /** IPv4 address, or /64 network of an IPv6 address, which usually belongs to one customer. */
  network: string;
  /** Whether there is an `x-forwarded-for` header from a peer that is not trusted. */
  ignoresHeader: boolean;
}

const NETWORK_BITS = 64;

/** Returns a function that tests whether an address is in one of these networks (addresses or CIDRs). */
function networkMatcher(texts: readonly string[]): (address: Address) => boolean {
  const networks = texts.map((text): [Address, number] =>
    text.includes('/') ? ipaddr.parseCIDR(text) : wholeAddress(ipaddr.parse(text)),
  );
  return (address) =>
    networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    );
}

type Peer = string | undefined;
type ForwardedFor = string | undefined;

/** Returns a function that finds the address of a client behind these proxies (addresses or networks). */
export function clientAddresses(
  trustedProxies: readonly string[],
): (peer: Peer, forwardedFor: ForwardedFor) => ClientAddress {
  const isTrusted = networkMatcher(trustedProxies);
  return (peer = '', forwardedFor) => {
    const from = parse(peer);
    if (from === null) return { network: peer, ignoresHeader: false };
    if (!isTrusted(from)) return { network: networkOf(from), ignoresHeader: forwardedFor !== undefined };
    return { network: networkOf(clientOf(from, forwardedFor, isTrusted)), ignoresHeader: false };
  };
}

/** Returns a function that tests whether a client behind these proxies is in one of these networks. */
export function clientMatcher(
  networks: readonly string[],
  trustedProxies: readonly string[],
): (peer: Peer, forwardedFor: ForwardedFor) => boolean {
  const isTrusted = networkMatcher(trustedProxies);
  const isIn = networkMatcher(networks);
  return (peer = '', forwardedFor) => {
    const from = parse(peer);
    return from !== null && isIn(isTrusted(from) ? clientOf(from, forwardedFor, isTrusted) : from);
  };
}

/** Each proxy appends its peer, so the last address that is not a trusted proxy is the client. */
function clientOf(
  proxy: Address,
  forwardedFor: ForwardedFor,
  isTrusted: (address: Address) => boolean,
): Address {
  let client = proxy;
  for (const text of (forwardedFor ?? '').split(',').reverse()) {
    const address = parse(text.trim());
    if (address === null) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client;
}

/** Returns a function that finds the network of a peer. It returns null for these proxies, because each has many clients. */
export function peerNetworks(trustedProxies: readonly string[]): (peer: Peer) => string | null {
  const isTrusted = networkMatcher(trustedProxies);
  return (peer = '') => {
    const from = parse(peer);
    return from === null || isTrusted(from) ? null : networkOf(from);
  };
}

const wholeAddress = (address: Address): [Address, number] => [address, address.kind() === 'ipv4' ? 32 : 128];

/** Parses an address. Drops a port, which proxies may add, and unmaps IPv4 addresses mapped into IPv6. */
function parse(text: string): Address | null {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}

function networkOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${NETWORK_BITS}`).toString();
}
