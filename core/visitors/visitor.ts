import { randomBytes } from 'node:crypto';

/** The holder of a visitor token. */
export interface Visitor {
  agentId: string;
  userId: string;
  /** Origin of the page that embeds the widget; null for tokens that an API key requested. */
  origin: string | null;
  /** Id of the identity secret that proved the user; null for other visitors. */
  identitySecretId: string | null;
}

/** User ids of anonymous visitors begin with this. */
const ANONYMOUS = 'anon.';
const RANDOM_BYTES = 16;

export const newAnonymousId = (): string => `${ANONYMOUS}${randomBytes(RANDOM_BYTES).toString('base64url')}`;

export const isAnonymous = (userId: string): boolean => userId.startsWith(ANONYMOUS);
