import type { MailFailureCode } from '../mail.port.js';
import type { NewLink } from './people/links.js';

export const mailKinds = [
  'invitation',
  'reset',
  'prove',
  'newBrowser',
  'dailyConversations',
  'dailyEmails',
  'quotaAlerts',
  'handover',
  'personAnswered',
] as const;
export type MailKind = (typeof mailKinds)[number];

export interface NewMail {
  id: string;
  kind: MailKind;
  /** Deleted with this user. Null if the recipient is found when it is sent. */
  userId: string | null;
  address: string;
  name: string;
  /** Encrypted. Deleted once the e-mail is sent or given up. */
  content: Uint8Array;
  /** Lower is sent first. */
  urgency: number;
  /** Unix seconds. */
  createdAt: number;
  /** At most one e-mail has this key. Null for e-mails that may be repeated. */
  onceKey: string | null;
}

export interface MailRow extends NewMail {
  /** Attempts, including the present one. */
  tries: number;
  /** Attempts of which it is not known whether the e-mail was accepted. */
  unclear: number;
}

/** The present attempt. */
export type Attempt = Pick<MailRow, 'id' | 'tries'>;

/** E-mails to send. A row is written before an attempt, so that none is lost. */
export interface Mails {
  /** Stores an e-mail, and the link in it, in one transaction. */
  add(mail: NewMail, link: NewLink | null): Promise<void>;
  /** Returns those of the keys that an e-mail has. */
  known(onceKeys: readonly string[]): Promise<Set<string>>;
  /** Stores e-mails, except if their key is taken. */
  addOnce(mails: readonly NewMail[]): Promise<void>;
  /**
   * Takes or keeps the right to send, which only one process has. Returns false if another has it. E-mails that were being sent
   * are sent again once, because it is unknown whether they were accepted.
   */
  lead(token: string, now: { nowMs: number; untilMs: number }): Promise<boolean>;
  /** Gives the right to send back. */
  release(token: string): Promise<void>;
  /** Whether an e-mail is due, or was being sent. */
  isDue(nowMs: number): Promise<boolean>;
  /** Returns the most urgent due e-mail, and marks it as being sent. */
  begin(nowMs: number): Promise<MailRow | null>;
  /** Ends an attempt, unless another process has taken it over. `error` is null if the e-mail was sent. */
  end(mail: Attempt, error: MailFailureCode | null, now: number): Promise<void>;
  postpone(
    mail: Attempt,
    error: MailFailureCode,
    until: { dueAtMs: number; isUnclear: boolean },
  ): Promise<void>;
  /** Numbers for the metrics. */
  counts(): Promise<{ waiting: number; oldestDueAtMs: number | null }>;
  /** Deletes some e-mails that ended before this second. Returns whether there may be more. */
  forget(before: number): Promise<boolean>;
}
