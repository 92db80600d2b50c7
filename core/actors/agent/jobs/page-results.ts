import { v7 as uuidv7 } from 'uuid';
import type { LastFailure } from '../../../knowledge/sources/source-metadata.js';
import { cleanValues } from '../../../knowledge/text/clean-values.js';
import { withLastValidators } from '../../../knowledge/urls/page-validators.js';
import { seconds } from '../../../ports/clock.port.js';
import type { DocumentRow, TaskRow } from '../../../ports/store/rows.js';
import { contentUnder } from '../../../retrieval/index-text.js';
import type { JsonObject } from '../../../schemas/json.js';
import type { CrawlPagePayload } from '../../../tasks/types/crawl-page.js';
import type { AgentTurnContext } from '../handler.js';
import { insertDocument, titleOf } from '../knowledge/new-document.js';
import { reserveStorage } from '../knowledge/storage-allowance.js';
import type { SucceededEvent } from '../messages.js';
import { failedWith, type TaskEnd } from './job-progress.js';

async function keepPage(
  context: AgentTurnContext,
  task: TaskRow,
  result: SucceededEvent['outcome'],
): Promise<TaskEnd | null> {
  const { turn, rules } = context;
  const { url } = task.payload as CrawlPagePayload;
  const now = seconds(rules.clock.now());
  if (result.kind === 'embedded') return failedWith('TASK_FAILED');
  const page = await pageOf(context, task);
  // A retrain must not restore a document that was deleted in the meantime.
  if (!page && task.isRetrain) return { status: 'cancelled' };
  if (result.kind === 'unchanged' && !page) return failedWith('TASK_FAILED');
  const { contentHash: heldAgainst = page?.contentHash } = result;
  if (result.kind === 'unchanged' && heldAgainst !== page?.contentHash) return null;
  if (page && (result.kind === 'unchanged' || result.contentHash === page.contentHash)) {
    const answered = result.kind === 'unchanged' ? result.metadata : result.extraction.metadata;
    await turn.documents.update(page.id, { lastCrawledAt: now, ...asRevalidated(page, answered ?? {}) });
    return { status: 'completed', documentId: page.id };
  }
  if (result.kind === 'unchanged') return failedWith('TASK_FAILED');

  const { extraction, contentHash } = result;
  const bytes = Buffer.byteLength(extraction.text);
  if (!(await reserveStorage(context, bytes - (page?.bytes ?? 0)))) return failedWith('QUOTA_STORAGE_LIMIT');
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

/** Stores in the document why the page could not be fetched. The content stays. */
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
function asRevalidated({ metadata }: DocumentRow, answered: JsonObject): Partial<DocumentRow> {
  const { lastFailure, ...before } = metadata;
  const after = withLastValidators(before, cleanValues(answered));
  return lastFailure === undefined && after === before ? {} : { metadata: after };
}

export const pageResults = { keep: keepPage, settleFailure: notePageFailure };
