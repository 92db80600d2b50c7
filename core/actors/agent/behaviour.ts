import type { Handler } from './handler.js';
import { finishIndexing, reindex } from './indexing.js';
import type { MessageKind } from './messages.js';
import { configure, deleteAgent, describe } from './profile.js';
import { addUrl, deleteDocument, learn } from './sources.js';
import { admitDue, expireLeases, taskFailed, taskStarted, taskSucceeded } from './tasks.js';
import { autoRetrain, openTasks, retrain } from './training.js';
import { addFiles, issueUploads } from './uploads.js';

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
