import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { newLink } from '../people/links.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import { type Letter, type Mail, MailFailure } from '../ports/mail.port.js';
import type { RecentEvents } from '../ports/store/channels/recent-events.js';
import type { MailRow, Mails } from '../ports/store/mails.js';
import type { People } from '../ports/store/people/people.js';
import { limits } from '../schemas/limits.js';
import { type Keyring, SecretUnreadable } from '../secrets/keyring.js';
import { letterOf } from './letter.js';
import { type DailyClaim, RESET_S, resetLetter, type Stored, underLimit } from './outbox.js';

interface SenderOptions {
  mail: Mail;
  mails: Mails;
  people: Pick<People, 'users' | 'members'>;
  recentEvents: RecentEvents;
  keyring: Pick<Keyring, 'open'>;
  /** Writes a daily e-mail; null if it is not to be sent. */
  dailyLetter: (claim: DailyClaim) => Promise<Omit<Letter, 'id'> | null>;
  publicUrl: string | null;
  /** `mail.perMinute` */
  perMinute: number;
  /** Called with `sent`, or the code of a failure. */
  onAttempt: (outcome: string) => void;
  clock: Clock;
  log: Log;
}

export type Sender = ReturnType<typeof createSender>;

/** Longer than any attempt, so that a process that has died is replaced, and a living one is not. */
export const LEAD_MS = 120_000;
/** Pauses after failures, in milliseconds. After the last one, the e-mail is given up. */
export const MAIL_PAUSES_MS = [5, 15, 60, 240, 720, 1440].map((minutes) => minutes * 60_000);
/** Maximum number of e-mails in a round. Between rounds, the process can stop. */
const ROUND = 20;

/** Sends e-mails from the outbox. One process at a time sends, one e-mail after the other. */
export function createSender(options: SenderOptions) {
  const { mail, mails, people, recentEvents, keyring, publicUrl, clock, log } = options;
  const token = uuidv7();
  const lead = () => mails.lead(token, { nowMs: clock.now(), untilMs: clock.now() + LEAD_MS });

  /** Returns the e-mail; null if it has no recipient. */
  async function letterFor({ id, address, name, content, tries }: MailRow): Promise<Letter | null> {
    const stored = JSON.parse(Buffer.from(keyring.open(id, content)).toString('utf8')) as Stored;
    if ('parts' in stored) {
      const { stopUrl, ...letter } = stored;
      return { id, to: { name, address }, ...letterOf(letter), ...(stopUrl ? { stopUrl } : {}) };
    }
    if ('daily' in stored) {
      const letter = await options.dailyLetter(stored.daily);
      return letter && { id, ...letter };
    }
    const user = publicUrl === null ? null : await people.users.findByEmail(stored.resetOf);
    if (publicUrl === null || user === null || user.disabled) return null;
    if ((await people.members.ofUser(user.id)).length === 0) return null;
    // Only the first attempt counts, so that failures do not use up the limit.
    if (
      tries === 1 &&
      !(await underLimit(recentEvents, `resets for ${user.id}`, limits.people.resetsOfUser, clock.now()))
    )
      return null;
    const endsAt = seconds(clock.now()) + RESET_S;
    const { link, token } = newLink('reset', endsAt, { userId: user.id, isMailed: true });
    await people.users.addLink(link);
    return { id, to: { name: user.name, address: user.email }, ...resetLetter(publicUrl, token) };
  }

  /** Returns the e-mail, or that no key decrypts it. */
  async function readable(row: MailRow): Promise<Letter | null | 'unreadable'> {
    try {
      return await letterFor(row);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      log.error(
        { mailId: row.id, kind: row.kind, err: error },
        'an e-mail cannot be decrypted: check secrets.key',
      );
      return 'unreadable';
    }
  }

  /** Returns whether the mail server was used. */
  async function attempt(row: MailRow): Promise<boolean> {
    const letter = await readable(row);
    if (letter === 'unreadable') {
      await mails.end(row, 'MAIL_REFUSED', seconds(clock.now()));
      return false;
    }
    try {
      if (letter) await mail.send(letter);
      await mails.end(row, null, seconds(clock.now()));
      options.onAttempt(letter ? 'sent' : 'dropped');
      return letter !== null;
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      options.onAttempt(error.code);
      const isUnclear = error.code === 'MAIL_UNCLEAR';
      const pause = MAIL_PAUSES_MS[row.tries - 1];
      const isOver = pause === undefined || (isUnclear && row.unclear > 0);
      log.warn(
        { mailId: row.id, kind: row.kind, code: error.code, err: error, isOver },
        'an e-mail was not sent',
      );
      if (isOver) await mails.end(row, error.code, seconds(clock.now()));
      else await mails.postpone(row, error.code, { dueAtMs: clock.now() + pause, isUnclear });
      return true;
    }
  }

  return {
    /** Sends due e-mails. Returns whether there may be more. */
    async round(): Promise<boolean> {
      for (let sent = 0; sent < ROUND; sent++) {
        if (!(await mails.isDue(clock.now())) || !(await lead())) return false;
        const row = await mails.begin(clock.now());
        if (row === null) return false;
        if (await attempt(row)) await sleep(60_000 / options.perMinute);
      }
      return true;
    },
    /** Lets another process send at once. */
    end: () => mails.release(token),
  };
}
