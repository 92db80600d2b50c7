import { Type } from '@sinclair/typebox';
import { count, named, orNull, section } from './setting-shapes.js';

/** Addresses of the API, and limits for its requests and connections. */
export const httpSettings = section({
  port: named('PORT', count('TCP port to listen on. 0 picks a free port.', 'TCP port', 0, 65_535)),
  host: Type.String({
    env: 'HOST',
    minLength: 1,
    pattern: '^[A-Za-z0-9.:_-]+$',
    expects: 'a host name or an IP address, without a port',
    description: 'Address to listen on. The default is reachable only from this machine.',
  }),
  publicUrl: orNull(
    Type.String({
      format: 'origin',
      expects: 'a bare origin such as https://agents.acme.com',
      description:
        'Origin at which clients reach this API, used in upload URLs. null: the address to which the client connected.',
    }),
  ),
  allowedHosts: Type.Array(
    Type.String({ pattern: '^(https?://)?(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$' }),
    {
      uniqueItems: true,
      expects:
        'a list of hosts such as agents.acme.com or localhost:3000; put https:// in front if clients use TLS',
      description:
        'Hosts accepted in the Host header. Upload URLs then start with that host instead of `http.publicUrl`. A host without a port matches any port.',
    },
  ),
  allowedOrigins: Type.Array(Type.String({ format: 'origin' }), {
    uniqueItems: true,
    expects: 'a list of bare origins such as https://app.acme.com',
    description:
      'Origins whose pages may call the API, and PUT to upload URLs of the folder storage, from a browser (CORS). Empty: only its own.',
  }),
  trustedProxies: Type.Array(Type.String({ format: 'cidr' }), {
    uniqueItems: true,
    expects: 'a list of addresses or networks such as 10.0.0.0/8 or 2001:db8::/32',
    description:
      'Reverse proxies and load balancers in front of this API. Only from them, the address of the client is read from `x-forwarded-for`. The limits of visitors depend on this address.',
  }),
  requestTimeoutMs: count('Maximum time for a whole request to arrive.', 'milliseconds', 10, 3_600_000),
  bodyMemoryMb: count(
    'Memory for request bodies, from their first byte until the request is done, and for responses that clients have not read yet. One key can use at most half, and all keys of a workspace two thirds, so that memory is left for other keys and workspaces. Requests that do not fit get 503. The longest body (2 MiB) takes 8 MiB, and reading the longest source (8 MiB) takes 16 MiB.',
    'MiB',
    1,
    65_536,
  ),
  maxConnections: count(
    'Maximum number of client connections. At the limit, each new connection closes another: the connection with the longest wait for a request or a body, then the longest idle one. If all have requests in progress, requests on a new connection get 503; `/livez`, `/readyz` and `/metrics` are still answered.',
    'connections',
    10,
    1_000_000,
  ),
  maxConnectionsPerAddress: orNull(
    count(
      'Maximum number of connections of one address (IPv4, or the /64 network of IPv6), enforced like `http.maxConnections`. null: half of that. Addresses in `http.trustedProxies` are not limited.',
      'connections',
      1,
      1_000_000,
    ),
  ),
  drainDelayMs: count(
    'Time between a stop signal and closing the port. In this time, `/readyz` returns 503 and requests are still served, so that load balancers stop sending requests. A second signal ends it. Set it to more than the interval at which your load balancer checks `/readyz`.',
    'milliseconds',
    0,
    5 * 60_000,
  ),
  requestsPerWorkspace: count(
    'Maximum number of concurrent requests of one workspace while other workspaces also send requests. Further requests are queued for up to 20 seconds, and workspaces are served round-robin. If only one workspace sends requests, it is not limited. The visitors of a workspace have a quarter of this number. Raise it if the database is slow.',
    'requests',
    1,
    10_000,
  ),
});
