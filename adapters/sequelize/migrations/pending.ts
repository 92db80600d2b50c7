import { DatabaseNewer, DatabaseTooOld } from '../../../core/ports/store/store-errors.js';

/** Steps of versions before the first release. A database with all of them has the tables of the baseline. */
export const singleSteps: readonly string[] = [
  '001-initial',
  '002-work-in-batches',
  '003-open-uploads-and-shared-fetches',
  '004-retrieval',
  '005-conversations',
  '006-jobs-by-type',
  '007-cancel-and-retry',
  '008-kept-answers',
  '009-sitemaps',
  '010-document-vectors',
  '011-webhooks',
  '012-ended-jobs',
  '013-traces-of-jobs',
  '014-documents-by-content',
  '015-conversation-bytes',
  '016-answer-outcomes',
  '017-visitors',
  '018-limited-keys',
  '019-statistics',
  '020-channels',
  '021-questions',
  '022-message-words',
  '023-channel-queues',
  '024-channel-recipients',
  '028-evaluations',
  '030-stored-times',
  '031-later-remains',
  '032-sealed-webhook-secrets',
  '033-bounded-conversations',
];

/**
 * Returns those of `names` that a database with these applied migrations lacks. Throws DatabaseNewer, and DatabaseTooOld
 * if it has only a part of the single steps.
 */
export function pendingOf(names: readonly string[], applied: readonly string[]): string[] {
  const unknown = applied.filter((name) => !names.includes(name) && !singleSteps.includes(name));
  if (unknown.length > 0) throw new DatabaseNewer(unknown);
  const missing = singleSteps.filter((name) => !applied.includes(name));
  if (missing.length > 0 && missing.length < singleSteps.length) throw new DatabaseTooOld(missing);
  return names.filter((name) => !applied.includes(name));
}
