import { v7 as uuidv7 } from 'uuid';
import { timeSlices } from '../../fairness/time-slices.js';
import { cleanString, cleanValues } from '../../knowledge/clean-values.js';
import { answeredAgain } from '../../knowledge/page-validators.js';
import type { LastFailure } from '../../knowledge/source-metadata.js';
import { seconds } from '../../ports/clock.port.js';
import type { DocumentRow, TaskRow } from '../../ports/store/rows.js';
import { contentUnder } from '../../retrieval/index-text.js';
import type { JsonObject } from '../../schemas/json.js';
import { failureKinds } from '../../tasks/failures.js';
import type { CrawlPagePayload, JobTaskType, ParseFilePayload } from '../../tasks/task-types.js';
import { keepVectors, putOffVectors } from './embedding.js';
import type { AgentTurnContext } from './handler.js';
import type { TaskEnd } from './job-progress.js';
import type { IndexedExtraction, SucceededEvent } from './messages.js';
import { keepSitemap } from './sitemaps.js';
import { reserveStorage } from './storage-allowance.js';

type Result = SucceededEvent['outcome'];

const MAX_TITLE = 300;
const titleOf = (title: string | null, fallback: string): string =>
  [...(cleanString(title ?? '').trim() || fallback)].slice(0, MAX_TITLE).join('');

const failed = (code: 'QUOTA_STORAGE_LIMIT' | 'TASK_FAILED'): TaskEnd => ({
  status: 'failed',
  error: { code, message: failureKinds[code].sentence },
});

async function keepPage(context: AgentTurnContext, task: TaskRow, result: Result): Promise<TaskEnd | null> {
  const { turn, rules } = context;
  const { url } = task.payload as CrawlPagePayload;
  const now = seconds(rules.clock.now());
  if (result.kind === 'embedded') return failed('TASK_FAILED');
  const page = await pageOf(context, task);
  // A retrain must not restore a document that was deleted in the meantime.
  if (!page && task.isRetrain) return { status: 'cancelled' };
  if (result.kind === 'unchanged' && !page) return failed('TASK_FAILED');
  const { contentHash: heldAgainst = page?.contentHash } = result;
  if (result.kind === 'unchanged' && heldAgainst !== page?.contentHash) return null;
  if (page && (result.kind === 'unchanged' || result.contentHash === page.contentHash)) {
    const answered = result.kind === 'unchanged' ? result.metadata : result.extraction.metadata;
    await turn.documents.update(page.id, { lastCrawledAt: now, ...asAnswered(page, answered ?? {}) });
    return { status: 'completed', documentId: page.id };
  }
  if (result.kind === 'unchanged') return failed('TASK_FAILED');

  const { extraction, contentHash } = result;
  const bytes = Buffer.byteLength(extraction.text);
  if (!(await reserveStorage(context, bytes - (page?.bytes ?? 0)))) return failed('QUOTA_STORAGE_LIMIT');
  const fresh = {
    title: titleOf(extraction.title, url),
    bytes,
    contentHash,
    metadata: cleanValues(extraction.metadata),
    lastCrawledAt: now,
  };
  const documentId = page?.id ?? uuidv7();
  if (page) await turn.documents.update(page.id, fresh, contentUnder(fresh.title, extraction));
  else
    await insertDocument(
      context,
      { ...fresh, id: documentId, sourceType: 'web_crawl', url, storagePath: null, createdAt: now },
      extraction,
    );
  turn.change({ lastTrainedAt: now });
  return { status: 'completed', documentId };
}

async function keepFile(context: AgentTurnContext, task: TaskRow, result: Result): Promise<TaskEnd> {
  const { turn, rules } = context;
  const { storagePath, fileName, unique } = task.payload as ParseFilePayload;
  const upload = await turn.uploads.find(storagePath);
  if (!upload || result.kind !== 'extracted') return failed('TASK_FAILED');
  const { extraction, contentHash } = result;
  const known = unique ? await turn.documents.findByContent('file_upload', contentHash) : null;
  if (known) {
    await releaseFile(context, task);
    return { status: 'completed', documentId: known.id };
  }
  const now = seconds(rules.clock.now());
  const documentId = uuidv7();
  // The bytes were charged at registration and now belong to the document.
  await turn.uploads.release(storagePath);
  await insertDocument(
    context,
    {
      id: documentId,
      sourceType: 'file_upload',
      title: titleOf(fileName, fileName),
      bytes: upload.bytes,
      url: null,
      storagePath,
      contentHash,
      metadata: { fileName, bytes: upload.bytes, ...cleanValues(extraction.metadata) },
      createdAt: now,
      lastCrawledAt: null,
    },
    extraction,
  );
  turn.change({ lastTrainedAt: now });
  return { status: 'completed', documentId };
}

/** Records on the document why the page could not be fetched. Its content stays. */
async function notePageFailure(
  context: AgentTurnContext,
  task: TaskRow,
  { code, message }: NonNullable<TaskRow['error']>,
): Promise<void> {
  const { turn, rules } = context;
  const page = await pageOf(context, task);
  if (!page) return;
  const lastFailure: LastFailure = { code, message, at: seconds(rules.clock.now()) };
  await turn.documents.update(page.id, { metadata: { ...page.metadata, lastFailure } });
}

/** Returns the stored page of a task, or null. */
const pageOf = ({ turn }: AgentTurnContext, task: TaskRow): Promise<DocumentRow | null> =>
  task.isRetrain
    ? turn.documents.find(task.documentId ?? '')
    : turn.documents.findByUrl((task.payload as CrawlPagePayload).url);

/**
 * Returns the changes of a page with unchanged content: none, unless its last fetch failed or its validators
 * are new.
 */
function asAnswered({ metadata }: DocumentRow, answered: JsonObject): Partial<DocumentRow> {
  const { lastFailure, ...before } = metadata;
  const after = answeredAgain(before, cleanValues(answered));
  return lastFailure === undefined && after === before ? {} : { metadata: after };
}

/** Discards a file that could not be parsed and releases its bytes. */
async function releaseFile(context: AgentTurnContext, task: TaskRow): Promise<void> {
  const { turn, rules } = context;
  const { storagePath } = task.payload as ParseFilePayload;
  const upload = await turn.uploads.find(storagePath);
  if (!upload) return;
  await reserveStorage(context, -upload.bytes);
  await turn.uploads.release(storagePath);
  await turn.uploads.discard([storagePath], seconds(rules.clock.now()));
}

async function insertDocument(
  { turn }: AgentTurnContext,
  row: Omit<DocumentRow, 'agentId' | 'workspaceId'>,
  extraction: IndexedExtraction,
): Promise<void> {
  const pause = timeSlices('turn');
  const content = contentUnder(row.title, extraction);
  await pause();
  const { id: agentId, workspaceId } = turn.agent;
  await turn.documents.insert({ ...row, agentId, workspaceId }, content);
}

interface ResultHandler {
  /**
   * Stores the result of an attempt and returns how its task ends. Null, with nothing done, if the worker
   * compared the page with content that is no longer stored.
   */
  keep(context: AgentTurnContext, task: TaskRow, result: Result): Promise<TaskEnd | null>;
  /**
   * Handles the failure of the last attempt: a page keeps its content, a file is discarded, and vectors are
   * requested again later.
   */
  settleFailure(
    context: AgentTurnContext,
    task: TaskRow,
    error: NonNullable<TaskRow['error']>,
  ): Promise<void>;
  /** Releases what was reserved for the task when its job is cancelled. */
  release?(context: AgentTurnContext, task: TaskRow): Promise<void>;
}

export const taskResults: Record<JobTaskType, ResultHandler> = {
  crawl_page: { keep: keepPage, settleFailure: notePageFailure },
  parse_file: { keep: keepFile, settleFailure: releaseFile, release: releaseFile },
  read_sitemap: {
    keep: async (context, task, result) =>
      result.kind === 'extracted' ? keepSitemap(context, task, result.extraction) : failed('TASK_FAILED'),
    settleFailure: async () => {},
  },
  embed: { keep: keepVectors, settleFailure: putOffVectors, release: putOffVectors },
};
