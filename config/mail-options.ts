import { readSecretFile } from './read-secret-file.js';
import type { Settings } from './settings.schema.js';

/** Returns the options of the mail server; null without one. Reads the file with the password. */
export function mailOptions({ mail }: Pick<Settings, 'mail'>) {
  const { url, from, replyTo, passwordFile } = mail;
  if (url === null || from === null) return null;
  return { url, from, replyTo, password: passwordFile === null ? null : readSecretFile(passwordFile) };
}
