import type { Handler } from './handler.js';
import { cancelJob, forgetJobs, retryJob } from './jobs/job-control.js';
import { openTasks } from './jobs/open-tasks.js';
import { indexSitemap } from './jobs/sitemaps.js';
import { admitDue, expireLeases, taskFailed, taskStarted, taskSucceeded } from './jobs/tasks.js';
import { autoRetrain, retrain } from './jobs/training.js';
import { embedDocuments, finishEmbedding } from './knowledge/embedding.js';
import { deleteFailure, retryFailure } from './knowledge/failures.js';
import { finishIndexing, reindex } from './knowledge/indexing.js';
import {
  acceptPage,
  addSource,
  deleteDocument,
  indexUrl,
  label,
  revise,
  schedulePage,
} from './knowledge/sources.js';
import { indexFiles, issueUploads } from './knowledge/uploads.js';
import type { MessageKind } from './messages.js';
import { copyAgent } from './profile/copy-agent.js';
import { changeDraft, discardDraft, publishDraft } from './profile/drafts.js';
import { removeIdentitySecret, rotateIdentitySecret } from './profile/identity-secret.js';
import { addPicture, deletePicture } from './profile/pictures.js';
import { configure, deleteAgent, updateAgent } from './profile/profile.js';
import { deleteVersion, restoreVersion } from './profile/versions.js';
import { changeSite, clearSite, deleteSite, indexSite, refreshSite } from './sites/sites.js';
import { deleteAutomation, saveAutomation } from './social/automations.js';
import { connectSocial, disconnectSocial, refreshSocial, requireReconnect } from './social/connection.js';
import { beginSync, endSync } from './social/profile.js';

export const behaviour: { [K in MessageKind]: Handler<K> } = {
  update: updateAgent,
  configure,
  changeDraft,
  publishDraft,
  discardDraft,
  restoreVersion,
  deleteVersion,
  addPicture,
  deletePicture,
  copyAgent,
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
  acceptPage,
  indexSitemap,
  indexSite,
  changeSite,
  deleteSite,
  refreshSite,
  clearSite,
  deleteDocument,
  label,
  schedulePage,
  issueUploads,
  indexFiles,
  retrain,
  cancelJob,
  retryJob,
  retryFailure,
  deleteFailure,
  openTasks,
  autoRetrain,
  forgetJobs,
  admit: admitDue,
  expireLeases,
  taskStarted,
  taskSucceeded,
  taskFailed,
};
