import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailChoices } from '../ports/store/people/members.js';
import type { Keyring } from '../secrets/keyring.js';

/** One kind of e-mail to one member. */
export interface Stop {
  workspaceId: string;
  memberId: string;
  kind: keyof MailChoices;
}

export interface StopLinks {
  tokenOf(stop: Stop): string;
  /** Returns null for a token that is forged. */
  read(token: string): Stop | null;
}

/** Path of the pages that stop e-mails. The token follows. */
export const MAIL_STOP = '/mail/stop/';

/** Signs the links that stop e-mails. They do not expire, because people unsubscribe from old e-mails. */
export function createStopLinks(keyring: Pick<Keyring, 'derive'>): StopLinks {
  const { currentId, byId } = keyring.derive('links that stop e-mails');
  const signed = (text: string, keyId: string): Buffer | null => {
    const key = byId.get(keyId);
    return key ? createHmac('sha256', key).update(text).digest() : null;
  };
  return {
    tokenOf({ workspaceId, memberId, kind }) {
      const text = `${workspaceId}.${memberId}.${kind}`;
      return `${text}.${currentId}.${signed(text, currentId)?.toString('base64url')}`;
    },
    read(token) {
      const [workspaceId = '', memberId = '', kind = '', keyId = '', signature = ''] = token.split('.');
      const expected = signed(`${workspaceId}.${memberId}.${kind}`, keyId);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected?.length || !timingSafeEqual(given, expected)) return null;
      return { workspaceId, memberId, kind: kind as Stop['kind'] };
    },
  };
}
