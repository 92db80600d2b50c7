import type { LinkPurpose, NewLink } from '../ports/store/people/links.js';
import { hashToken, newToken } from './tokens.js';

/** Returns a one-time link and its token, which is shown once. `endsAt` is in Unix seconds. */
export function newLink(
  purpose: LinkPurpose,
  endsAt: number,
  of: Partial<Pick<NewLink, 'workspaceId' | 'memberId' | 'userId' | 'isMailed'>> = {},
): { link: NewLink; token: string } {
  const token = newToken();
  const nothing = { workspaceId: null, memberId: null, userId: null, isMailed: false };
  return { token, link: { ...nothing, ...of, hash: hashToken(token), purpose, endsAt } };
}
