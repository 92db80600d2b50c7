import type { Conversations } from '../../../core/ports/conversations.port.js';
import type { Connection } from '../connection.js';
import type { Transact } from '../transact.js';
import { defineConversationModels } from './conversation-models.js';
import { createConversationReads } from './reads.js';
import { createConversationSaves } from './saves.js';
import { createConversationSweeps } from './sweeps.js';
import { createConversationTurns } from './turns.js';

export function openConversations(connection: Connection, transact: Transact): Conversations {
  const models = defineConversationModels(connection.sequelize);
  return {
    reads: createConversationReads(connection),
    turns: createConversationTurns(connection, models, transact),
    saves: createConversationSaves(connection, models, transact),
    sweeps: createConversationSweeps(connection, transact),
  };
}
