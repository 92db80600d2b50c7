import { Failure } from '../../api/failure.js';
import { agentPath, ask } from '../../api/request.js';
import type { Job, Source } from '../../api/types.js';
import { isOver } from '../../training.js';

/** Result of a file's task: the source with the same text. */
export interface KnownFile {
  name: string;
  source: Source;
}

/**
 * Returns the files of a job that were not stored because their text exists; null while the job is running. Throws
 * Failure.
 */
export async function knownFilesOf(
  agentId: string,
  jobId: string,
  signal: AbortSignal,
): Promise<KnownFile[] | null> {
  const job = await ask<Job>(agentPath(agentId, 'jobs', jobId), { signal });
  if (!isOver(job)) return null;
  const known: KnownFile[] = [];
  const own = new Set<string>();
  for (const { target, status, documentId } of job.tasks) {
    if (status !== 'completed' || documentId === null) continue;
    const source = await ask<Source>(agentPath(agentId, 'sources', documentId), { signal }).catch(nullIfGone);
    if (source?.sourceType !== 'file_upload') continue;
    // Compare original names, because titles are trimmed.
    const { fileName } = source.sourceMetadata;
    const isOwn = fileName === target && (source.createdAt ?? 0) >= job.createdAt && !own.has(documentId);
    if (isOwn) own.add(documentId);
    else known.push({ name: target, source });
  }
  return known;
}

/** Returns null for a deleted source; rethrows other errors. */
function nullIfGone(thrown: unknown): null {
  if (thrown instanceof Failure && thrown.code === 'RESOURCE_DOCUMENT_NOT_FOUND') return null;
  throw thrown;
}
