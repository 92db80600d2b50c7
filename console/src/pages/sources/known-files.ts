import { Failure } from '../../api/failure.js';
import { agentPath, ask } from '../../api/request.js';
import type { Job, Source } from '../../api/types.js';
import { isOver } from '../../training.js';

/** Of a file's task: the source that has its text from another file. */
export interface KnownFile {
  name: string;
  source: Source;
}

/**
 * Files of a job that were not stored, because their text was there already; null while the job is under
 * way. Throws Failure.
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
    // By the name that it came with: a title is that without blanks around it.
    const { fileName } = source.sourceMetadata;
    const isOwn = fileName === target && (source.createdAt ?? 0) >= job.createdAt && !own.has(documentId);
    if (isOwn) own.add(documentId);
    else known.push({ name: target, source });
  }
  return known;
}

/** Of a source that was deleted meanwhile there is nothing to tell. */
function nullIfGone(thrown: unknown): null {
  if (thrown instanceof Failure && thrown.code === 'RESOURCE_DOCUMENT_NOT_FOUND') return null;
  throw thrown;
}
