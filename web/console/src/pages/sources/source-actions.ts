import { SelfExplained } from '../../api/failure.js';
import { agentPath, ask, persist, send } from '../../api/request.js';
import type { Job, Source } from '../../api/types.js';
import { putFile, registerUploads, signUploads, uploadProblem } from '../../api/upload.js';
import { confirmDone } from '../../parts/announce.js';
import { saveFile } from '../../parts/save-file.js';
import { isOver } from '../../training.js';

/** Long-poll timeout in seconds. */
const WAIT_SECONDS = 20;

/** Maximum failures in a row, with pauses of `FAULT_MS`, while a job is followed. */
const MAX_FAILURES = 10;

export const urlIn = ({ sourceMetadata }: Source): string | null =>
  'url' in sourceMetadata ? sourceMetadata.url : null;

/** Fetches a page again. Returns the job. Throws Failure. */
export async function readAgain(agentId: string, url: string): Promise<string> {
  const path = agentPath(agentId, 'sources', 'url');
  const { jobId } = await ask<{ jobId: string }>(path, { method: 'POST', body: { url } });
  confirmDone('The page is being read again.');
  return jobId;
}

/** Saves the file of a source as it was uploaded. Throws Failure, also if the storage no longer has it. */
export async function downloadOriginal(agentId: string, { id, title }: Source): Promise<void> {
  const response = await send(agentPath(agentId, 'sources', id, 'original'));
  saveFile(title, await response.blob());
}

/**
 * Uploads a file in place of another. The old one stays until the new one has been read, and for good if the service is
 * away for too long. Throws Failure.
 */
export async function replaceFile(
  agentId: string,
  old: Source,
  file: File,
  onSubmitted: (jobId: string) => void,
): Promise<void> {
  const problem = uploadProblem(file);
  if (problem !== null) throw new SelfExplained(`The file ${problem}.`);
  const signed = await signUploads(agentId, [file]);
  for (const upload of signed)
    await putFile(file, upload, { onProgress: () => {}, signal: new AbortController().signal });
  const jobId = String((await registerUploads(agentId, signed, false)).jobId);
  onSubmitted(jobId);
  const path = agentPath(agentId, 'jobs', jobId);
  let job: Job;
  do {
    let failures = 0;
    const onFailure = () => {
      failures += 1;
      if (failures === MAX_FAILURES)
        throw new SelfExplained(
          'The service could not be reached, so the old file stays. Delete it once the new one is in the list.',
        );
    };
    job = await persist(() => ask<Job>(path, { query: { wait: WAIT_SECONDS } }), { onFailure });
  } while (!isOver(job));
  if (job.status !== 'completed')
    throw new SelfExplained('The new file could not be read. The old one stays.');
  await ask(agentPath(agentId, 'sources', old.id), { method: 'DELETE' });
  confirmDone(`${old.title} was replaced.`);
}
