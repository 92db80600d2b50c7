import type { Test } from 'tap';
import { openSmtp } from '../../adapters/smtp/index.js';
import type { TestBrowser } from './browser.js';
import { startTestService, type TestService, type TestServiceOptions } from './service.js';
import { type Received, testMailServer } from './smtp.js';
import { until } from './until.js';

export const publicUrl = 'http://localhost:3000';

export interface Mailing {
  service: TestService;
  received: Received[];
  /** Waits for the next e-mail to an address with this subject. */
  mailTo(address: string, subject: RegExp, after?: number): Promise<Received>;
  /** Proves the address of a signed-in person. */
  prove(person: { browser: TestBrowser; email: string }): Promise<void>;
}

/** A service that sends e-mails to a server on loopback. */
export async function mailing(t: Test, options: TestServiceOptions): Promise<Mailing> {
  const { port, received } = await testMailServer(t);
  const mail = openSmtp({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Acme <help@acme.example>',
    replyTo: null,
    password: null,
  });
  const service = await startTestService(t, {
    mail,
    ...options,
    settings: { http: { publicUrl }, mail: { perMinute: 6000 }, ...options.settings },
  });
  const mailTo: Mailing['mailTo'] = (address, subject, after = 0) =>
    until(`an e-mail to ${address}`, async () =>
      received.slice(after).find(({ to, text }) => to.includes(address) && subject.test(text)),
    );
  return {
    service,
    received,
    mailTo,
    async prove({ browser, email }) {
      await browser.session('/prove', {});
      const token = tokenIn(await mailTo(email, /Confirm your address/), 'prove');
      const { status, text } = await browser.session('/prove', { token });
      if (status !== 200) throw new Error(`proving: ${text}`);
    },
  };
}

/** The token of a link in an e-mail. */
export function tokenIn({ text }: Pick<Received, 'text'>, page: string): string {
  const [, token] = new RegExp(`${publicUrl}/console/${page}#([\\w-]+)`).exec(text) ?? [];
  if (token === undefined) throw new Error(`no link to ${page} in ${text}`);
  return token;
}
