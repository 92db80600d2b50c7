import type { RecentEvents } from '../../../core/ports/store/channels/recent-events.js';
import type { Connection } from '../database/connection.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { numbersOf, readSubject, touchSubject, writeSubject } from '../rows/subject-rows.js';

export const createRecentEvents = (connection: Connection, transact: Transact): RecentEvents => ({
  change: (workspaceId, subject, next) =>
    transact.rawTransaction(async (transaction) => {
      const { dialect, select, execute } = statementsIn(connection, transaction);
      const [, [row]] = await Promise.all([
        execute(...touchSubject(dialect, workspaceId, subject)),
        select(...readSubject(dialect, workspaceId, subject)),
      ]);
      await execute(...writeSubject(dialect, workspaceId, subject, { numbers: next(numbersOf(row)) }));
    }, workspaceId),
});
