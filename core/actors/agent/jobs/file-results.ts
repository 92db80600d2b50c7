import { v7 as uuidv7 } from 'uuid';
import { cleanValues } from '../../../knowledge/text/clean-values.js';
import { seconds } from '../../../ports/clock.port.js';
import type { TaskRow } from '../../../ports/store/rows.js';
import type { ParseFilePayload } from '../../../tasks/types/parse-file.js';
import type { AgentTurnContext } from '../handler.js';
import { insertDocument, titleOf } from '../knowledge/new-document.js';
import { reserveStorage } from '../knowledge/storage-allowance.js';
import type { SucceededEvent } from '../messages.js';
import { languageOf } from './job-opening.js';
import { type Continuation, failedWith, type TaskEnd } from './job-progress.js';

async function keepFile(
  context: AgentTurnContext,
  task: TaskRow,
  result: SucceededEvent['outcome'],
): Promise<TaskEnd | Continuation> {
  const { turn, rules } = context;
  const { storagePath, fileName, unique, externalId } = task.payload as ParseFilePayload;
  if (result.kind === 'scanned') {
    const payload = {
      ...(task.payload as ParseFilePayload),
      pages: result.pages,
      language: await languageOf(context),
    };
    return { status: 'continued', type: 'recognise_pages', payload };
  }
  const upload = await turn.uploads.find(storagePath);
  if (!upload || result.kind !== 'extracted') return failedWith('TASK_FAILED');
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
      metadata: {
        fileName,
        ...(externalId === undefined ? {} : { externalId }),
        bytes: upload.bytes,
        ...cleanValues(extraction.metadata),
      },
      createdAt: now,
      lastCrawledAt: null,
    },
    extraction,
  );
  turn.change({ lastTrainedAt: now });
  return { status: 'completed', documentId };
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

export const fileResults = { keep: keepFile, settleFailure: releaseFile, release: releaseFile };
