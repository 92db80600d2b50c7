import { agentPath, ask } from '../../api/request.js';
import type { Job, Source } from '../../api/types.js';
import { isOver } from '../../training.js';

/** Of a file's task: the source that has its text from another file. */
export interface KnownFile {
  name: string;
  source: Source;
}

/** Files of a job that were not stored, because their text was there already; null while the job is under way. */
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
    // Deleted meanwhile: then there is nothing to tell.
    const source = await ask<Source>(agentPath(agentId, 'sources', documentId), { signal }).catch(() => null);
    if (!source) continue;
    const isOwn = source.title === target && (source.createdAt ?? 0) >= job.createdAt && !own.has(documentId);
    if (isOwn) own.add(documentId);
    else known.push({ name: target, source });
  }
  return known;
}
