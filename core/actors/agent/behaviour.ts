import type { AgentTurn } from '../../ports/store/agent-turn.js';
import type { TaskMessage } from '../../tasks/wire.js';
import { finishIndexing, reindex } from './indexing.js';
import type { MessageKind, MessageOf, ReplyOf } from './messages.js';
import { configure, deleteAgent, describe } from './profile.js';
import type { AgentRules } from './rules.js';
import { addUrl, deleteDocument, learn } from './sources.js';
import { admitDue, expireLeases, taskFailed, taskStarted, taskSucceeded } from './tasks.js';
import { autoRetrain, openTasks, retrain } from './training.js';
import { addFiles, issueUploads } from './uploads.js';

/** What a handler has during its turn. It has no way to ask an actor: turns do not nest. */
export interface AgentTurnContext {
  turn: AgentTurn;
  rules: AgentRules;
  /** Attempts to send to the queue once the turn has committed. */
  admitted: (tasks: TaskMessage[]) => void;
}

export type Handler<K extends MessageKind> = (
  context: AgentTurnContext,
  message: MessageOf<K>,
) => Promise<ReplyOf<K>>;

/** Message to handler: all that an agent's actor does. */
export const behaviour: { [K in MessageKind]: Handler<K> } = {
  describe,
  configure,
  delete: deleteAgent,
  learn,
  reindex,
  finishIndexing,
  addUrl,
  deleteDocument,
  issueUploads,
  addFiles,
  retrain,
  openTasks,
  autoRetrain,
  admit: admitDue,
  expireLeases,
  taskStarted,
  taskSucceeded,
  taskFailed,
};
