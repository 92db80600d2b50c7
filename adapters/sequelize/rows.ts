import { createHash } from 'node:crypto';
import type {
  AgentState,
  DocumentRow,
  JobRow,
  JobStatus,
  JobType,
  SourceType,
  TaskRow,
  TaskStatus,
  TracedTask,
  UploadRow,
} from '../../core/ports/store/rows.js';
import type { ApiKeyRow, Workspace } from '../../core/ports/store/workspaces.js';
import type { JsonObject } from '../../core/schemas/json.js';
import type { FailureCode } from '../../core/tasks/failures.js';
import type { TaskPayloads, TaskType } from '../../core/tasks/wire.js';
import type { Overrides } from '../../core/workspaces/entitlements.js';
import type { Row } from './connect.js';

/** Table rows to what core knows, in one place: engines differ in how they give back numbers, booleans and JSON. */

const text = (value: unknown): string => value as string;
const textOrNull = (value: unknown): string | null => (value as string | null) ?? null;
const number = (value: unknown): number => Number(value);
const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);
const flag = (value: unknown): boolean => Boolean(value);
export const json = <T>(value: unknown): T => JSON.parse(value as string) as T;

/** Long URLs cannot be indexed whole. */
export const urlHash = (url: string): string => createHash('sha256').update(url).digest('hex');

/** All of an agent's row but its settings. */
export const agentFields = `id, workspace_id, name, url, version, knowledge_version, removals, web_crawl, file_upload, text_snippet, qna_entry,
  jobs, created_at, last_trained_at, retrain_base_at, next_due_at_ms`;

export const agentOf = (row: Row): AgentState => ({
  id: text(row.id),
  workspaceId: text(row.workspace_id),
  name: text(row.name),
  url: textOrNull(row.url),
  version: number(row.version),
  knowledgeVersion: number(row.knowledge_version),
  removals: number(row.removals),
  documents: {
    web_crawl: number(row.web_crawl),
    file_upload: number(row.file_upload),
    text_snippet: number(row.text_snippet),
    qna_entry: number(row.qna_entry),
  },
  jobs: number(row.jobs),
  createdAt: number(row.created_at),
  lastTrainedAt: numberOrNull(row.last_trained_at),
  retrainBaseAt: numberOrNull(row.retrain_base_at),
  nextDueAtMs: numberOrNull(row.next_due_at_ms),
});

/** An agent's state as the model writes it. */
export const agentColumns = (state: AgentState) => ({
  id: state.id,
  workspaceId: state.workspaceId,
  name: state.name,
  url: state.url,
  version: state.version,
  knowledgeVersion: state.knowledgeVersion,
  removals: state.removals,
  webCrawl: state.documents.web_crawl,
  fileUpload: state.documents.file_upload,
  textSnippet: state.documents.text_snippet,
  qnaEntry: state.documents.qna_entry,
  jobs: state.jobs,
  createdAt: state.createdAt,
  lastTrainedAt: state.lastTrainedAt,
  retrainBaseAt: state.retrainBaseAt,
  nextDueAtMs: state.nextDueAtMs,
});

export const documentOf = (row: Row): DocumentRow => ({
  id: text(row.id),
  agentId: text(row.agent_id),
  workspaceId: text(row.workspace_id),
  sourceType: text(row.source_type) as SourceType,
  title: text(row.title),
  bytes: number(row.bytes),
  url: textOrNull(row.url),
  storagePath: textOrNull(row.storage_path),
  contentHash: text(row.content_hash),
  metadata: json<JsonObject>(row.metadata),
  createdAt: number(row.created_at),
  lastCrawledAt: numberOrNull(row.last_crawled_at),
});

export const documentColumns = (patch: Partial<DocumentRow>) => ({
  ...patch,
  ...(patch.metadata === undefined ? {} : { metadata: JSON.stringify(patch.metadata) }),
  ...(patch.url === undefined ? {} : { urlHash: patch.url === null ? null : urlHash(patch.url) }),
});

export const jobOf = (row: Row): JobRow => ({
  id: number(row.id),
  agentId: text(row.agent_id),
  workspaceId: text(row.workspace_id),
  type: text(row.type) as JobType,
  isRetrain: flag(row.is_retrain),
  status: text(row.status) as JobStatus,
  tasksCount: number(row.tasks_count),
  tasksEnded: number(row.tasks_ended),
  tasksFailed: number(row.tasks_failed),
  tasksToCome: number(row.tasks_to_come),
  openedUpTo: textOrNull(row.opened_up_to),
  requestId: textOrNull(row.request_id),
  createdAt: number(row.created_at),
  startedAt: numberOrNull(row.started_at),
  finishedAt: numberOrNull(row.finished_at),
});

export const taskOf = (row: Row): TaskRow => ({
  id: text(row.id),
  jobId: number(row.job_id),
  agentId: text(row.agent_id),
  type: text(row.type) as TaskType,
  target: text(row.target),
  payload: json<TaskPayloads[TaskType]>(row.payload),
  documentId: textOrNull(row.document_id),
  isRetrain: flag(row.is_retrain),
  status: text(row.status) as TaskStatus,
  attempts: number(row.attempts),
  dueAtMs: number(row.due_at_ms),
  leaseUntilMs: numberOrNull(row.lease_until_ms),
  published: flag(row.published),
  error:
    row.error_code === null || row.error_code === undefined
      ? null
      : { code: text(row.error_code) as FailureCode, message: text(row.error_message) },
});

export const tracedTaskOf = (row: Row): TracedTask => ({
  ...taskOf(row),
  requestId: textOrNull(row.request_id),
  workspaceId: row.workspace_id as string,
});

export const taskColumns = ({ error, payload, ...rest }: Partial<TaskRow>) => ({
  ...rest,
  ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  ...(error === undefined
    ? {}
    : { errorCode: error?.code ?? null, errorMessage: error?.message.slice(0, 1000) ?? null }),
});

export const uploadOf = (row: Row): UploadRow => ({
  path: text(row.path),
  agentId: text(row.agent_id),
  workspaceId: text(row.workspace_id),
  fileName: text(row.file_name),
  issuedAt: number(row.issued_at),
  registeredAt: numberOrNull(row.registered_at),
  bytes: number(row.bytes),
});

export const workspaceOf = (row: Row): Workspace => ({
  id: text(row.id),
  name: text(row.name),
  plan: text(row.plan),
  overrides: json<Overrides>(row.overrides),
  agents: number(row.agents),
  storageBytes: number(row.storage_bytes),
  createdAt: number(row.created_at),
});

export const keyOf = (row: Row): ApiKeyRow => ({
  id: text(row.id),
  workspaceId: text(row.workspace_id),
  name: text(row.name),
  hint: text(row.hint),
  createdAt: number(row.created_at),
  lastUsedAt: numberOrNull(row.last_used_at),
  revokedAt: numberOrNull(row.revoked_at),
});
