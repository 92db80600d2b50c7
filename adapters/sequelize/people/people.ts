import type { People } from '../../../core/ports/store/people/people.js';
import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';
import { createIdentities } from './identities.js';
import { createMembers } from './members.js';
import { createSecondFactors } from './second-factors.js';
import { createSessions } from './sessions.js';
import { createSignInCounts } from './sign-in-counts.js';
import { createUsers } from './users.js';

export const createPeople = (connection: Connection, transact: Transact): People => ({
  users: createUsers(connection, transact),
  identities: createIdentities(connection, transact),
  members: createMembers(connection, transact),
  sessions: createSessions(connection, transact),
  secondFactors: createSecondFactors(connection, transact),
  signInCounts: createSignInCounts(connection, transact),
});
