import { v7 as uuidv7 } from 'uuid';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type { DailyMails, MailedMember } from '../../ports/store/daily-mails.js';
import type { Mails, NewMail } from '../../ports/store/mails.js';
import type { Keyring } from '../../secrets/keyring.js';
import { DAILY, dailyKinds, type Stored } from '../outbox.js';
import { localTime } from './local-day.js';

/** Local hour from which the e-mails of a day are sent. */
const FROM_HOUR = 8;
/** Members per statement. */
const PAGE = 500;

interface ClaimOptions {
  dailyMails: Pick<DailyMails, 'members'>;
  mails: Pick<Mails, 'known' | 'addOnce'>;
  keyring: Pick<Keyring, 'seal'>;
  clock: Clock;
}

/**
 * Returns the work that puts the daily e-mails of all members into the outbox, once it is 08:00 for them. The row is a
 * claim: its key is unique, so several processes make one. The text is written when it is sent.
 */
export function dailyClaims({ dailyMails, mails, keyring, clock }: ClaimOptions): () => Promise<void> {
  function claimsOf(member: MailedMember): NewMail[] {
    const { day, hour } = localTime(clock.now(), member.timeZone);
    if (hour < FROM_HOUR) return [];
    return dailyKinds
      .filter((kind) => member.notifications[kind])
      .map((kind) => {
        const id = uuidv7();
        const stored: Stored = { daily: { memberId: member.id, kind, day } };
        return {
          id,
          kind,
          userId: member.userId,
          address: member.email,
          name: member.name,
          content: keyring.seal(id, Buffer.from(JSON.stringify(stored))),
          urgency: DAILY,
          createdAt: seconds(clock.now()),
          onceKey: `${member.id} ${kind} ${day}`,
        };
      });
  }

  return async () => {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const members: MailedMember[] = await dailyMails.members(after, PAGE);
      const claims = members.flatMap(claimsOf);
      const known = await mails.known(claims.map(({ onceKey }) => onceKey ?? ''));
      const added = claims.filter(({ onceKey }) => !known.has(onceKey ?? ''));
      if (added.length > 0) await mails.addOnce(added);
      after = members.length === PAGE ? members.at(-1)?.id : undefined;
    }
  };
}
