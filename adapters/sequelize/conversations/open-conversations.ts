import type { Conversations } from '../../../core/ports/conversations.port.js';
import type { Connection } from '../connection.js';
import type { Transact } from '../transact.js';
import { createConversationReads } from './reads.js';
import { createConversationSaves } from './saves.js';
import { createConversationSweeps } from './sweeps.js';
import { createConversationTurns } from './turns.js';

export function openConversations(connection: Connection, transact: Transact): Conversations {
  return {
    reads: createConversationReads(connection),
    turns: createConversationTurns(connection, transact),
    saves: createConversationSaves(connection, transact),
    sweeps: createConversationSweeps(connection, transact),
  };
}
