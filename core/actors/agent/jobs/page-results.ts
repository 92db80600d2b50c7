import { v7 as uuidv7 } from 'uuid';
import { isConfirmed, withHeldBack } from '../../../knowledge/sources/held-back.js';
import { withPageSchedule } from '../../../knowledge/sources/page-schedule.js';
import type { LastFailure } from '../../../knowledge/sources/source-metadata.js';
import { differsMuch, isNewVersion } from '../../../knowledge/sources/suspect-text.js';
import { cleanValues } from '../../../knowledge/text/clean-values.js';
import { lineChanges } from '../../../knowledge/text/line-changes.js';
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
  const { url } = task.payload as CrawlPagePayload;
  if (result.kind !== 'extracted' && result.kind !== 'unchanged') return failedWith('TASK_FAILED');
  const page = await pageOf(context, task);
  // A retrain must not restore a document that was deleted in the meantime.
  if (!page && task.isRetrain) return { status: 'cancelled' };
  if (result.kind === 'unchanged' && !page) return failedWith('TASK_FAILED');
  const { contentHash: heldAgainst = page?.contentHash } = result;
  if (result.kind === 'unchanged' && heldAgainst !== page?.contentHash) return null;
  if (page && (result.kind === 'unchanged' || result.contentHash === page.contentHash)) {
    return confirmPage(
      context,
      page,
      result.kind === 'unchanged' ? result.metadata : result.extraction.metadata,
    );
  }
  if (result.kind === 'unchanged') return failedWith('TASK_FAILED');

  return storePage(context, { url, page, isAccepted: () => isAccepted(context, task) }, result);
}

/**
 * Stores the text of a page, unless it is suspect. `page`: the document to update; null for a new one. Fails with
 * QUOTA_STORAGE_LIMIT if the storage is full.
 */
export async function storePage(
  context: AgentTurnContext,
  {
    url,
    page,
    isAccepted = async () => false,
  }: { url: string; page: DocumentRow | null; isAccepted?: () => Promise<boolean> },
  { extraction, contentHash }: Pick<ExtractedOutcome, 'extraction' | 'contentHash'>,
): Promise<TaskEnd> {
  const { turn, rules } = context;
  const now = seconds(rules.clock.now());
  const textBefore = page && (await turn.documents.text(page.id));
  const suspicion = suspicionOf(context, page, textBefore, url, extraction);
  if (suspicion !== null && !(await isAccepted())) {
    if (page) {
      const metadata = withHeldBack(page.metadata, now, suspicion === 'different');
      await turn.documents.update(page.id, { metadata });
    }
    return failedWith('PAGE_SUSPECT', page ? suspicions[suspicion] : undefined);
  }
  const bytes = Buffer.byteLength(extraction.text);
  if (!(await reserveStorage(context, bytes - (page?.bytes ?? 0)))) return failedWith('QUOTA_STORAGE_LIMIT');
  const fresh = {
    title: titleOf(extraction.title, url),
    bytes,
    contentHash,
    metadata: withPageSchedule(cleanValues(extraction.metadata), page?.metadata),
    lastCrawledAt: now,
  };
  const documentId = page?.id ?? uuidv7();
  if (page) {
    await turn.documents.update(page.id, { ...fresh, updatedAt: now }, contentUnder(fresh.title, extraction));
    const changes = lineChanges(textBefore ?? '', extraction.text);
    if (changes.added + changes.removed > 0)
      turn.documents.recordChange(page.id, { ...changes, id: uuidv7(), at: now });
  } else
    await insertDocument(
      context,
      { ...fresh, id: documentId, sourceType: 'web_crawl', url, storagePath: null, createdAt: now },
      extraction,
    );
  turn.change({ lastTrainedAt: now });
  return { status: 'completed', documentId };
}

/** Records that a page has been read and that its text is unchanged. `answered`: its current validators. */
export async function confirmPage(
  { turn, rules }: AgentTurnContext,
  page: DocumentRow,
  answered: JsonObject = {},
): Promise<TaskEnd> {
  const lastCrawledAt = seconds(rules.clock.now());
  await turn.documents.update(page.id, { lastCrawledAt, ...asRevalidated(page, answered) });
  return { status: 'completed', documentId: page.id };
}

type ExtractedOutcome = Extract<SucceededEvent['outcome'], { kind: 'extracted' }>;
type Extracted = ExtractedOutcome['extraction'];

/** Reasons to hold back the new text of a page, as sentences for users. */
const suspicions = {
  interstitial:
    'The site returned a check for robots, a consent or age gate, a maintenance notice or an error instead of the page. The last text is kept. Allow our user agent on the site, or accept the new text if it is right.',
  different:
    'The text has almost nothing in common with the last one, so it may be an error of the site. The last text is kept. Accept the new text if it is right. If the page stays like this, it is accepted at the third time within a week.',
};

/** Returns why a text is probably not that of the page, or null. A newer version of the stored text is never suspect. */
function suspicionOf(
  { rules }: AgentTurnContext,
  page: DocumentRow | null,
  before: string | null,
  url: string,
  { title, text, isInterstitial = false }: Extracted,
): keyof typeof suspicions | null {
  if (!page) return isInterstitial ? 'interstitial' : null;
  if (before === null) return null;
  if (isInterstitial) return isNewVersion(before, text) ? null : 'interstitial';
  const isConfirmedText = isConfirmed(page.metadata, seconds(rules.clock.now()));
  const isDifferent = differsMuch({ title: page.title, text: before }, { title: titleOf(title, url), text });
  return isDifferent && !isConfirmedText ? 'different' : null;
}

/** Returns whether the task, or a task that shares its fetch, accepts a suspect text. */
async function isAccepted({ turn }: AgentTurnContext, task: TaskRow): Promise<boolean> {
  const tasks = [task, ...(await turn.jobs.followers(task.id))];
  return tasks.some(({ payload }) => (payload as CrawlPagePayload).accept === true);
}

/** Stores in the document why the page could not be fetched. The content stays. */
async function notePageFailure(
  context: AgentTurnContext,
  task: TaskRow,
  error: NonNullable<TaskRow['error']>,
): Promise<void> {
  const page = await pageOf(context, task);
  if (page) await noteLastFailure(context, page, error);
}

export async function noteLastFailure(
  { turn, rules }: AgentTurnContext,
  page: DocumentRow,
  { code, message }: NonNullable<TaskRow['error']>,
): Promise<void> {
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
  const { lastFailure, heldBack, ...before } = metadata;
  const after = withLastValidators(before, cleanValues(answered));
  return lastFailure === undefined && heldBack === undefined && after === before ? {} : { metadata: after };
}

export const pageResults = { keep: keepPage, settleFailure: notePageFailure };
