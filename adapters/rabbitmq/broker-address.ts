import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** Parameters that the driver reads. */
const driverParameters = ['heartbeat', 'channelMax', 'frameMax', 'maxFrameSize', 'locale'];
const files = { cacertfile: 'ca', certfile: 'cert', keyfile: 'key' } as const;
const tlsParameters = [...Object.keys(files), 'verify', 'server_name_indication'];
const usage = `For TLS, use amqps:// with the parameters ${tlsParameters.join(', ')}`;

/** Address of the broker, for the driver. */
export interface BrokerAddress {
  /** URL without TLS parameters. */
  url: string;
  tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
}

/**
 * Reads the TLS parameters of an AMQP URL (https://www.rabbitmq.com/docs/uri-query-parameters) and the PEM files that
 * they name. Unlike RabbitMQ's own clients, verifies the broker by default. Throws errors without secrets.
 */
export function brokerAddress(address: string): BrokerAddress {
  const url = new URL(address);
  const given = url.searchParams;
  for (const name of given.keys())
    if (!driverParameters.includes(name) && !tlsParameters.includes(name))
      throw new Error(`AMQP_URL has an unknown parameter "${name}". ${usage}`);
  const used = tlsParameters.filter((name) => given.has(name));
  if (used.length > 0 && url.protocol !== 'amqps:')
    throw new Error(
      `AMQP_URL has ${used.join(', ')} but does not enable TLS. Write amqps:// instead of amqp://`,
    );
  const verify = given.get('verify') ?? 'verify_peer';
  if (verify !== 'verify_peer' && verify !== 'verify_none')
    throw new Error('verify in AMQP_URL must be verify_peer or verify_none');
  if (given.has('certfile') !== given.has('keyfile'))
    throw new Error('AMQP_URL must name both certfile and keyfile, or neither');
  const serverName = given.get('server_name_indication');
  const tls: BrokerAddress['tls'] = {
    ...Object.fromEntries(
      Object.entries(files).flatMap(([name, option]) => {
        const path = given.get(name);
        return path === null ? [] : [[option, readPem(name, path)]];
      }),
    ),
    rejectUnauthorized: verify === 'verify_peer',
    ...(serverName === null ? {} : { servername: serverName }),
  };
  for (const name of tlsParameters) given.delete(name);
  return { url: url.href, tls };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`The file of ${name} in AMQP_URL cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
