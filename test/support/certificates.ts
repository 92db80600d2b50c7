import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PEM files of a private authority, and of a server and a client certified by it. */
export interface Certificates {
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
}

/** Why tests that need certificates are skipped; false if openssl is installed. */
export function opensslMissing(): string | false {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'openssl is not installed';
  }
}

/** Creates a new authority in `folder`. The server's certificate is only valid for the DNS name `serverName`. */
export function makeCertificates(folder: string, serverName = 'localhost'): Certificates {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const request = ['req', '-newkey', 'rsa:2048', '-nodes'];
  openssl(...request, '-x509', '-days', '2', '-subj', '/CN=Test CA', '-keyout', 'ca.key', '-out', 'ca.pem');
  const certify = (name: string, subject: string, extension: string) => {
    openssl(...request, '-subj', `/CN=${subject}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(path(`${name}.ext`), extension);
    const sign = ['x509', '-req', '-days', '2', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
    openssl(...sign, '-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
    return { cert: path(`${name}.pem`), key: path(`${name}.key`) };
  };
  return {
    ca: path('ca.pem'),
    server: certify('server', 'server', `subjectAltName=DNS:${serverName}`),
    client: certify('client', 'client', 'extendedKeyUsage=clientAuth'),
  };
}

export const pem = (path: string): Buffer => readFileSync(path);
