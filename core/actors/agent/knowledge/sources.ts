import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { ApiError, invalidField } from '../../../errors/api-error.js';
import { isHeldBack } from '../../../knowledge/sources/held-back.js';
import { seconds } from '../../../ports/clock.port.js';
import type { JobRow } from '../../../ports/store/rows.js';
import { contentUnder } from '../../../retrieval/index-text.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { crawlTask, type JobOrigin, languageOf, openJob } from '../jobs/job-opening.js';
import type { NewSource } from '../messages.js';
import { insertDocument } from './new-document.js';
import { removeDocument } from './remove-document.js';
import { reserveStorage, storageIsFull } from './storage-allowance.js';

export const addSource: Handler<'addSource'> = async (context, { source, unique }) => {
  const { turn, rules } = context;
  const contentHash = hashOf(source.content);
  const known = unique ? await turn.documents.findByContent(source.sourceType, contentHash) : null;
  if (known) return { documentId: known.id, isKnown: true };
  if (!(await reserveStorage(context, source.bytes))) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const now = seconds(rules.clock.now());
  const { sourceType, title, content, bytes, metadata } = source;
  const id = uuidv7();
  await insertDocument(
    context,
    {
      id,
      sourceType,
      title,
      bytes,
      url: null,
      storagePath: null,
      contentHash,
      metadata,
      createdAt: now,
      lastCrawledAt: null,
    },
    content,
  );
  turn.change({ lastTrainedAt: now });
  return { documentId: id, isKnown: false };
};

export const revise: Handler<'revise'> = async (context, { documentId, before, source }) => {
  const { turn, rules } = context;
  const document = await turn.documents.find(documentId);
  if (!document) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
  if (document.title !== before.title || document.contentHash !== before.contentHash)
    return { document: null };
  const { title, content, bytes, metadata } = source;
  const patch = { title, bytes, metadata, contentHash: hashOf(content) };
  const revised = { ...document, ...patch };
  if (isDeepStrictEqual(revised, document)) return { document };
  if (!(await reserveStorage(context, bytes - document.bytes))) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const updatedAt = seconds(rules.clock.now());
  await turn.documents.update(documentId, { ...patch, updatedAt }, contentUnder(title, content));
  turn.change({ lastTrainedAt: updatedAt });
  return { document: { ...revised, updatedAt } };
};

export const label: Handler<'label'> = async ({ turn }, { documentId, externalId }) => {
  const document = await turn.documents.find(documentId);
  if (!document) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
  const metadata = { ...document.metadata, externalId };
  await turn.documents.update(documentId, { metadata });
  return { document: { ...document, metadata } };
};

export const schedulePage: Handler<'schedulePage'> = async ({ turn }, { documentId, schedule }) => {
  const document = await turn.documents.find(documentId);
  if (!document) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
  const { schedule: _, ...others } = document.metadata;
  const metadata = schedule === null ? others : { ...others, schedule };
  if (isDeepStrictEqual(metadata, document.metadata)) return { document };
  await turn.documents.update(documentId, { metadata });
  return { document: { ...document, metadata } };
};

const hashOf = ({ text }: NewSource['content']): string => createHash('sha256').update(text).digest('hex');

export const indexUrl: Handler<'indexUrl'> = async (context, { url, requestId }) => {
  const page = await context.turn.documents.findByUrl(url);
  if (page) await context.turn.sites.disown(page.id);
  return { job: await submitUrl(context, url, { requestId }) };
};

export const acceptPage: Handler<'acceptPage'> = async (context, { documentId, requestId }) => {
  const page = await context.turn.documents.find(documentId);
  if (!page) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
  const { url } = page;
  if (url === null || !isHeldBack(page.metadata))
    throw invalidField('documentId', 'is a source without a suspect text to accept');
  // Nothing to compare with: the text is fetched in full, whatever is stored.
  const language = await languageOf(context);
  const task = {
    ...crawlTask(url, page, language),
    payload: { url, accept: true, ...(language === null ? {} : { language }) },
  };
  return { job: await openJob(context, { type: 'retrain', requestId, tasks: [task] }) };
};

/**
 * Creates a job that indexes the page or fetches a known one again. Throws 403 for a new page if the storage
 * is full.
 */
export async function submitUrl(
  context: AgentTurnContext,
  url: string,
  made: Omit<JobOrigin, 'type'>,
): Promise<JobRow> {
  const page = await context.turn.documents.findByUrl(url);
  if (!page && (await storageIsFull(context))) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const task = crawlTask(url, page, await languageOf(context));
  return openJob(context, { ...made, type: page ? 'retrain' : 'index_url', tasks: [task] });
}

export const deleteDocument: Handler<'deleteDocument'> = async (context, { documentId }) => {
  const document = await context.turn.documents.find(documentId);
  if (!document) throw new ApiError('RESOURCE_DOCUMENT_NOT_FOUND');
  await removeDocument(context, document);
  if (document.url !== null) await context.turn.sites.detach(documentId, true);
  return null;
};
