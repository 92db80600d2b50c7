import { readRegularFile } from './read-regular-file.js';
import type { Settings } from './settings.schema.js';

const MAX_PASSWORD_BYTES = 4096;

/** Returns the options of the mail server; null without one. Reads the file with the password. */
export function mailOptions({ mail }: Pick<Settings, 'mail'>) {
  const { url, from, replyTo, passwordFile } = mail;
  if (url === null || from === null) return null;
  const password =
    passwordFile === null
      ? null
      : readRegularFile(passwordFile, { maxBytes: MAX_PASSWORD_BYTES })
          .toString('utf8')
          .replace(/\r?\n$/, '');
  return { url, from, replyTo, password };
}
