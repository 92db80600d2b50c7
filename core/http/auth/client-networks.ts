import type { IncomingMessage } from 'node:http';
import type { Log } from '../../ports/log.port.js';
import { clientAddresses } from '../../visitors/client-address.js';

interface ClientNetworksOptions {
  /** `http.trustedProxies` */
  trustedProxies: readonly string[];
  /** Called for the first `x-forwarded-for` header that is ignored. */
  onIgnored: () => void;
  log: Log;
}

/** Returns a function that finds a client's address: IPv4, or the /64 network of IPv6. */
export function createClientNetworks({
  trustedProxies,
  onIgnored,
  log,
}: ClientNetworksOptions): (request: IncomingMessage) => string {
  const addressOf = clientAddresses(trustedProxies);
  let hasIgnored = false;
  return ({ socket, headers }) => {
    const forwardedFor = headers['x-forwarded-for'];
    const { network, ignoresHeader } = addressOf(socket.remoteAddress, forwardedFor as string | undefined);
    if (ignoresHeader && !hasIgnored) {
      hasIgnored = true;
      log.warn(
        { peer: network },
        'x-forwarded-for is ignored, so all visitors behind a proxy share its limits: list the proxy in http.trustedProxies',
      );
      onIgnored();
    }
    return network;
  };
}
