import { type Api, persistently } from './api.js';
import { CliError } from './cli-error.js';

interface Job {
  finishedAt: number | null;
  tasks: { documentId: string | null; lastError: { code: string; message: string } | null }[];
}

/** Time limit of one attempt to send a file, in milliseconds. */
const UPLOAD_MS = 600_000;

interface UploadedFile {
  fileName: string;
  bytes: Buffer;
  externalId?: string;
}

/**
 * Uploads a file as a source of the agent at this path and waits until it has been read. Returns the id of the source.
 * Throws API_REFUSED if the file could not be read.
 */
export async function uploadFile(
  api: Api,
  at: string,
  { fileName, bytes, externalId }: UploadedFile,
): Promise<string> {
  const { files } = await api.send<{ files: { uploadUrl: string; storagePath: string }[] }>(
    'POST',
    `${at}/sources/file/upload-url`,
    { files: [{ fileName }] },
  );
  const [signed] = files;
  if (!signed) throw new CliError('API_REFUSED', 'The service returned no upload URL.');
  const { uploadUrl, storagePath } = signed;
  await put(uploadUrl, bytes);
  const { jobId } = await api.send<{ jobId: number }>('POST', `${at}/sources/file`, {
    files: [{ storagePath, fileName, externalId }],
  });
  let job: Job;
  do job = await api.send<Job>('GET', `${at}/jobs/${jobId}?wait=30`);
  while (job.finishedAt === null);
  const { documentId = null, lastError = null } = job.tasks[0] ?? {};
  if (lastError)
    throw new CliError('API_REFUSED', `${lastError.code}: ${lastError.message}`, { advises: true });
  if (documentId === null)
    throw new CliError('API_REFUSED', `${fileName} was not read: its job was cancelled.`);
  return documentId;
}

/** Sends the bytes. Retries if the storage is busy or the connection is lost. */
async function put(url: string, bytes: Buffer): Promise<void> {
  const response = await persistently(async () => {
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
    await response.body?.cancel();
    return response;
  });
  if (!response?.ok)
    throw new CliError('API_REFUSED', `The storage refused the upload (${response?.status ?? 'no answer'}).`);
}
