import { openSmtp } from '../adapters/smtp/index.js';
import { mailOptions } from '../config/mail-options.js';
import type { Settings } from '../config/settings.schema.js';
import type { Health } from '../core/ports/health.js';

/** Connects to the mail server and signs in, without an e-mail. Returns ok without a mail server. */
export async function askMail(settings: Settings): Promise<Health> {
  try {
    const options = mailOptions(settings);
    if (options !== null) await openSmtp(options).verify();
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

export const adviceOnMail = (mail: Health, { mail: { url }, http }: Settings): string[] => [
  ...(mail.ok ? [] : [`Check mail.url, and the password of the mail server: ${mail.reason}`]),
  ...(url !== null && http.publicUrl === null
    ? [
        'Set http.publicUrl: without it, e-mails have no links, and invitations and new passwords are not mailed.',
      ]
    : []),
];
