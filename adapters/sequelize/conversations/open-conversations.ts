import type { Conversations } from '../../../core/ports/store/conversations/conversations.js';
import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';
import { createInboxReaders } from '../inbox/inbox-readers.js';
import { createInboxReads } from '../inbox/inbox-reads.js';
import { createInboxSweeps } from '../inbox/inbox-sweeps.js';
import { createConversationReads } from './reads.js';
import { createConversationSaves } from './saves.js';
import { createStatisticsReads } from './statistics.js';
import { createConversationSweeps } from './sweeps.js';
import { createConversationTurns } from './turns.js';

export function openConversations(connection: Connection, transact: Transact): Conversations {
  return {
    reads: createConversationReads(connection),
    inbox: {
      reads: createInboxReads(connection),
      readers: createInboxReaders(connection, transact),
      sweeps: createInboxSweeps(connection),
    },
    statistics: createStatisticsReads(connection),
    turns: createConversationTurns(connection, transact),
    saves: createConversationSaves(connection, transact),
    sweeps: createConversationSweeps(connection, transact),
  };
}
