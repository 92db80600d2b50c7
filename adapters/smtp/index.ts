import { Readable } from 'node:stream';
import ipaddr from 'ipaddr.js';
import addressparser from 'nodemailer/lib/addressparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Letter, type Mail, MailFailure } from '../../core/ports/mail.port.js';

export interface SmtpOptions {
  /** `smtp:` upgrades to TLS where the server offers it, `smtps:` begins with TLS. May contain user and password. */
  url: string;
  /** Address of the sender, such as `Acme <help@acme.com>`. */
  from: string;
  replyTo: string | null;
  /** Replaces the password in the URL. */
  password: string | null;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** Maximum time for an e-mail, below the lease of the process that sends. */
const LONGEST_MS = 90_000;
const connectionCodes = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ECONNRESET', 'EPIPE']);

/** Sends e-mails by SMTP, one connection for each. A user and a password need TLS, except on this machine. */
export function openSmtp({ url, from, replyTo, password }: SmtpOptions): Mail {
  const { protocol, hostname, port, username, password: inUrl } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLocal = isLoopback(host);
  const user = decodeURIComponent(username);
  const options = {
    host,
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    requireTLS: user !== '' && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  };
  const [sender = ''] = addressparser(from).flatMap((one) => ('address' in one ? one.address : []));
  const domain = sender.split('@').at(-1) ?? '';

  /** Connects and signs in, and runs the work on the connection. */
  async function connected(work: (connection: SMTPConnection) => Promise<void>): Promise<void> {
    const connection = new SMTPConnection(options);
    const lost = new Promise<never>((_, reject) => connection.once('error', reject));
    // The first failure counts; later ones have no listener.
    lost.catch(() => connection.on('error', () => {}));
    const late = setTimeout(() => {
      connection.emit('error', Object.assign(new Error('it takes too long'), { code: 'ETIMEDOUT' }));
    }, LONGEST_MS);
    const step = (begin: (done: (error?: Error | null) => void) => void) =>
      Promise.race([
        lost,
        new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
      ]);
    try {
      await step((done) => connection.connect(done));
      if (user !== '')
        await step((done) =>
          connection.login(
            { user, credentials: { user, pass: password ?? decodeURIComponent(inUrl) } },
            done,
          ),
        );
      await Promise.race([lost, work(connection)]);
      connection.quit();
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  return {
    async send({ id, to, subject, text, html, stopUrl }: Letter) {
      const source = await new MailComposer({
        from,
        ...(replyTo === null ? {} : { replyTo }),
        to: { name: onOneLine(to.name), address: to.address },
        subject: onOneLine(subject),
        text,
        html,
        messageId: `<${id}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(stopUrl === undefined
            ? {}
            : {
                'List-Unsubscribe': `<${stopUrl}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
        .compile()
        .build();
      let isSent = false;
      // The library reads the text once the server has asked for it.
      const body = Readable.from(
        (function* () {
          isSent = true;
          yield source;
        })(),
      );
      try {
        await connected(
          (connection) =>
            new Promise((resolve, reject) =>
              connection.send({ from: sender, to: [to.address] }, body, (error) =>
                error ? reject(error) : resolve(),
              ),
            ),
        );
      } catch (error) {
        throw failureOf(error, isSent);
      }
    },
    async verify() {
      try {
        await connected(async () => {});
      } catch (error) {
        throw failureOf(error, false);
      }
    },
  };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

/** A line end would begin another header. */
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

function failureOf(error: unknown, isSent: boolean): MailFailure {
  const { code = '', response = '', message = '' } = error as Partial<Record<string, string>>;
  const said = response === '' ? '' : ` It says: ${onOneLine(response).slice(0, 200)}`;
  const options = { cause: error };
  if (code === 'EAUTH')
    return new MailFailure('MAIL_AUTH', `The mail server rejects the user or the password.${said}`, options);
  if (isSent && connectionCodes.has(code))
    return new MailFailure(
      'MAIL_UNCLEAR',
      'The connection to the mail server broke before it confirmed the e-mail.',
      options,
    );
  if (code === 'ETLS' || /certificate|self.signed|TLS|SSL|wrong version/i.test(message))
    return new MailFailure(
      'MAIL_TLS',
      `There is no safe connection to the mail server: ${onOneLine(message).slice(0, 200)}.`,
      options,
    );
  if (connectionCodes.has(code))
    return new MailFailure(
      'MAIL_UNREACHABLE',
      `The mail server cannot be reached: ${onOneLine(message).slice(0, 200)}.`,
      options,
    );
  return new MailFailure('MAIL_REFUSED', `The mail server rejects the e-mail.${said}`, options);
}
