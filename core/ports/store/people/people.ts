import type { Identities } from './identities.js';
import type { Members } from './members.js';
import type { SecondFactors } from './second-factors.js';
import type { Sessions } from './sessions.js';
import type { SignInCounts } from './sign-in-counts.js';
import type { Users } from './users.js';

/** Persons, their memberships and their sessions. */
export interface People {
  users: Users;
  identities: Identities;
  members: Members;
  sessions: Sessions;
  secondFactors: SecondFactors;
  signInCounts: SignInCounts;
}
