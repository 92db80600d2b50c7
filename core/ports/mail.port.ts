/*
 * A mail server. Core writes the letters, and decides on recipients and times.
 */

/** An e-mail in two forms with the same content. */
export interface Letter {
  /** Stable for all attempts: the local part of its Message-ID. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Address of the one-click unsubscription, RFC 8058. */
  stopUrl?: string;
}

export const mailFailureCodes = [
  /** No connection, or it broke before the text was sent. */
  'MAIL_UNREACHABLE',
  /** The server does not offer TLS, or its certificate is not valid. */
  'MAIL_TLS',
  /** The server rejects the user or the password. */
  'MAIL_AUTH',
  /** The server rejects the sender, the recipient or the text. */
  'MAIL_REFUSED',
  /** The connection broke after the text: the e-mail may have been accepted. */
  'MAIL_UNCLEAR',
] as const;
export type MailFailureCode = (typeof mailFailureCodes)[number];

/** The message is a sentence for admins. */
export class MailFailure extends Error {
  readonly code: MailFailureCode;
  constructor(code: MailFailureCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'MailFailure';
    this.code = code;
  }
}

export interface Mail {
  /** Sends one e-mail. Rejects with MailFailure. */
  send(letter: Letter): Promise<void>;
  /** Connects and signs in, without an e-mail. Rejects with MailFailure. */
  verify(): Promise<void>;
}
