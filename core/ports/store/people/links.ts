/**
 * What a one-time link allows. `setup`: to become the first owner of a workspace. `invitation`: to accept a membership.
 * `reset`: to choose a new password. `prove`: to prove an e-mail address.
 */
export const linkPurposes = ['setup', 'invitation', 'reset', 'prove'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** Only the hash of a link's token is stored. */
export interface NewLink {
  hash: string;
  purpose: LinkPurpose;
  workspaceId: string | null;
  memberId: string | null;
  userId: string | null;
  /** Sent to the address of the user, so that using it proves the address. */
  isMailed: boolean;
  endsAt: number;
}

export interface LinkRow extends NewLink {}
