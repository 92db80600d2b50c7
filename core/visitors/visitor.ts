import { randomBytes } from 'node:crypto';

/** The holder of a visitor token. */
export interface Visitor {
  agentId: string;
  userId: string;
  /** Origin of the page that embeds the widget; null if the token was requested with an API key. */
  origin: string | null;
  /** Id of the identity secret that proved the user; null for an unproven user. */
  identitySecretId: string | null;
}

/** Prefix of the user ids of anonymous visitors. */
const ANONYMOUS = 'anon.';
const RANDOM_BYTES = 16;

export const newAnonymousId = (): string => `${ANONYMOUS}${randomBytes(RANDOM_BYTES).toString('base64url')}`;

export const isAnonymous = (userId: string): boolean => userId.startsWith(ANONYMOUS);
