import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { SslOptions } from 'mysql2';

const modes = ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const;
type Mode = (typeof modes)[number];

const files = { 'ssl-ca': 'ca', 'ssl-cert': 'cert', 'ssl-key': 'key' } as const;
const usage = `Use ssl-mode (${modes.join(', ')}) with ssl-ca, ssl-cert and ssl-key (paths of PEM files).`;

/** The parameters of DATABASE_URL cannot be used. The message says what to do and holds no secrets. */
class DatabaseUrlInvalid extends Error {
  readonly code = 'DATABASE_URL_INVALID';
  override name = 'DatabaseUrlInvalid';
}

/** The server that DATABASE_URL names. */
export interface MysqlServer {
  /** Without parameters. */
  url: string;
  /** Options for the driver; undefined connects without TLS. With PREFERRED, asks the server until it has answered. */
  ssl(): Promise<SslOptions | undefined>;
}

/**
 * Reads the parameters of a `mysql://` URL, and the PEM files that they name. Parameters and modes are those of the
 * command-line clients of MySQL. Throws DatabaseUrlInvalid.
 */
export function mysqlServer(address: string): MysqlServer {
  const url = new URL(address);
  const mode = modeOf(url);
  const options = tlsOptions(url, mode);
  url.search = '';
  const ssl = mode === 'DISABLED' ? undefined : options;
  let offered: boolean | undefined;
  return {
    url: url.href,
    async ssl() {
      if (mode !== 'PREFERRED' || !ssl) return ssl;
      offered ??= await offersTls(url, ssl);
      return offered === false ? undefined : ssl;
    },
  };
}

function modeOf({ searchParams }: URL): Mode {
  const given = searchParams.get('ssl-mode') ?? 'DISABLED';
  const mode = modes.find((mode) => mode === given.toUpperCase());
  if (!mode) throw new DatabaseUrlInvalid(`DATABASE_URL has an unknown ssl-mode. ${usage}`);
  return mode;
}

function tlsOptions(url: URL, mode: Mode): SslOptions {
  for (const name of url.searchParams.keys())
    if (name !== 'ssl-mode' && !Object.hasOwn(files, name))
      throw new DatabaseUrlInvalid(`DATABASE_URL has an unknown parameter "${name}". ${usage}`);
  const verifies = mode === 'VERIFY_CA' || mode === 'VERIFY_IDENTITY';
  const pem = Object.fromEntries(
    Object.entries(files).flatMap(([name, option]) => {
      const path = url.searchParams.get(name);
      return path === null ? [] : [[option, readPem(name, path)]];
    }),
  );
  if (mode === 'DISABLED' && Object.keys(pem).length > 0)
    throw new DatabaseUrlInvalid('DATABASE_URL names PEM files but does not enable TLS. Add ssl-mode.');
  if (pem.ca !== undefined && !verifies)
    throw new DatabaseUrlInvalid(
      `ssl-mode=${mode} in DATABASE_URL does not verify the server, so ssl-ca has no effect. Use VERIFY_IDENTITY or VERIFY_CA.`,
    );
  if ((pem.cert === undefined) !== (pem.key === undefined))
    throw new DatabaseUrlInvalid('DATABASE_URL must name both ssl-cert and ssl-key, or neither.');
  // For an IP address, the driver would verify the certificate against "localhost".
  if (mode === 'VERIFY_IDENTITY' && isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new DatabaseUrlInvalid(
      'ssl-mode=VERIFY_IDENTITY needs a host name in DATABASE_URL. Replace the IP address, or use VERIFY_CA.',
    );
  return { ...pem, rejectUnauthorized: verifies, verifyIdentity: mode === 'VERIFY_IDENTITY' };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DatabaseUrlInvalid(
      `The file of ${name} in DATABASE_URL cannot be read: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** Returns whether the server supports TLS; undefined if it is unreachable or rejects the login. */
async function offersTls(url: URL, ssl: SslOptions): Promise<boolean | undefined> {
  // Loaded on demand: SQLite does not need the driver.
  const { createConnection } = await import('mysql2');
  const connection = createConnection({ uri: url.href, ssl, connectTimeout: 5000 });
  return new Promise((resolve) => {
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error: Error & { code?: string }) => {
      connection.destroy();
      resolve(error.code === 'HANDSHAKE_NO_SSL_SUPPORT' ? false : undefined);
    });
  });
}
