import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Test } from 'tap';

export interface Received {
  to: string[];
  /** Whole source of the e-mail. */
  source: string;
  /** Source without soft line breaks and quoted-printable codes. */
  text: string;
  secure: boolean;
  user: string | null;
}

export interface TestMailServer {
  port: number;
  received: Received[];
}

/** What the server does with a text: accept it, refuse it, close the connection before an answer, or never answer. */
export type OnData = 'accept' | 'refuse' | 'drop' | 'hang';

/** A mail server on loopback. `password` is required if given. */
export async function testMailServer(
  t: Test,
  {
    does = 'accept',
    password,
    ...options
  }: SMTPServerOptions & { does?: OnData | (() => OnData); password?: string } = {},
): Promise<TestMailServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: password === undefined,
    disableReverseLookup: true,
    ...options,
    onAuth(auth, _session, callback) {
      if (auth.password === password) callback(null, { user: auth.username ?? '' });
      else callback(new Error('Wrong password'));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString('utf8');
        const now = typeof does === 'function' ? does() : does;
        if (now === 'hang') return;
        if (now === 'drop') {
          for (const connection of server.connections)
            (connection as { _socket: { destroy(): void } })._socket.destroy();
          return;
        }
        if (now === 'refuse') return callback(new Error('Message is spam'));
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          source,
          text: decoded(source),
          secure: session.secure,
          user: session.user ?? null,
        });
        callback();
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (listening.address() as AddressInfo).port, received };
}

const decoded = (source: string): string =>
  Buffer.from(
    source
      .replace(/=\r\n/g, '')
      .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');
