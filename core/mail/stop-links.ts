import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailChoices } from '../ports/store/people/members.js';
import type { Keyring } from '../secrets/keyring.js';

/** One kind of e-mail to one member. */
export interface Stop {
  workspaceId: string;
  memberId: string;
  kind: keyof MailChoices;
}

/** E-mails about answers of people to an address; `hash` is an HMAC of it. */
export interface AddressStop {
  workspaceId: string;
  hash: string;
  /** Canonical locale of the e-mail; null for English, or for a link that does not name it. */
  language: string | null;
}

export interface StopLinks {
  tokenOf(stop: Stop): string;
  addressTokenOf(stop: AddressStop): string;
  /** Returns null for a token that is forged. */
  read(token: string): Stop | AddressStop | null;
}

/** In place of the kind of an e-mail to a member. The language may follow. */
const ADDRESS = 'address';

/** Path of the pages that stop e-mails. The token follows. */
export const MAIL_STOP = '/mail/stop/';

/** Signs the links that stop e-mails. They do not expire, because people unsubscribe from old e-mails. */
export function createStopLinks(keyring: Pick<Keyring, 'derive'>): StopLinks {
  const { currentId, byId } = keyring.derive('links that stop e-mails');
  const signed = (text: string, keyId: string): Buffer | null => {
    const key = byId.get(keyId);
    return key ? createHmac('sha256', key).update(text).digest() : null;
  };
  const tokenOf = (first: string, second: string, kind: string): string => {
    const text = `${first}.${second}.${kind}`;
    return `${text}.${currentId}.${signed(text, currentId)?.toString('base64url')}`;
  };
  return {
    tokenOf: ({ workspaceId, memberId, kind }) => tokenOf(workspaceId, memberId, kind),
    addressTokenOf: ({ workspaceId, hash, language }) =>
      tokenOf(workspaceId, hash, language === null ? ADDRESS : `${ADDRESS}-${language}`),
    read(token) {
      const [workspaceId = '', whom = '', kind = '', keyId = '', signature = ''] = token.split('.');
      const expected = signed(`${workspaceId}.${whom}.${kind}`, keyId);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== expected?.length || !timingSafeEqual(given, expected)) return null;
      return kind.startsWith(ADDRESS)
        ? { workspaceId, hash: whom, language: kind.slice(ADDRESS.length + 1) || null }
        : { workspaceId, memberId: whom, kind: kind as Stop['kind'] };
    },
  };
}
