import { createHmac, hkdfSync } from 'node:crypto';
import { foldedEmail } from './email.js';

/** Identifies an address in a workspace, to recognise removed members. */
export type MemberHash = (workspaceId: string, email: string) => string;

/** Returns a function that identifies by an HMAC under the secret of the installation. */
export function createMemberHash(secret: Uint8Array): MemberHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cadre removed members', 32));
  return (workspaceId, email) =>
    createHmac('sha256', key)
      .update(`${workspaceId}\0${foldedEmail(email)}`)
      .digest('hex');
}
