import { type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';

/** A message for the first attempt of a page. */
export const crawlMessage = (taskId: string): TaskMessage => ({
  v: WIRE_VERSION,
  taskId,
  jobId: 1,
  agentId: 'agent',
  workspaceId: 'workspace',
  attempt: 1,
  type: 'crawl_page',
  payload: { url: 'https://a.example/' },
  requestId: null,
});
