import { embedDocuments, finishEmbedding } from './embedding.js';
import type { Handler } from './handler.js';
import { removeIdentitySecret, rotateIdentitySecret } from './identity-secret.js';
import { finishIndexing, reindex } from './indexing.js';
import { cancelJob, forgetJobs, retryJob } from './job-control.js';
import type { MessageKind } from './messages.js';
import { openTasks } from './open-tasks.js';
import { configure, deleteAgent, updateAgent } from './profile.js';
import { indexSitemap } from './sitemaps.js';
import { deleteAutomation, saveAutomation } from './social-automations.js';
import { connectSocial, disconnectSocial, refreshSocial, requireReconnect } from './social-connection.js';
import { beginSync, endSync } from './social-profile.js';
import { addSource, deleteDocument, indexUrl, label, revise } from './sources.js';
import { admitDue, expireLeases, taskFailed, taskStarted, taskSucceeded } from './tasks.js';
import { autoRetrain, retrain } from './training.js';
import { indexFiles, issueUploads } from './uploads.js';

export const behaviour: { [K in MessageKind]: Handler<K> } = {
  update: updateAgent,
  configure,
  delete: deleteAgent,
  rotateIdentitySecret,
  removeIdentitySecret,
  connectSocial,
  disconnectSocial,
  requireReconnect,
  refreshSocial,
  saveAutomation,
  deleteAutomation,
  beginSync,
  endSync,
  addSource,
  revise,
  reindex,
  finishIndexing,
  embed: embedDocuments,
  finishEmbedding,
  indexUrl,
  indexSitemap,
  deleteDocument,
  label,
  issueUploads,
  indexFiles,
  retrain,
  cancelJob,
  retryJob,
  openTasks,
  autoRetrain,
  forgetJobs,
  admit: admitDue,
  expireLeases,
  taskStarted,
  taskSucceeded,
  taskFailed,
};
