import { fileExtensions, fileTypes } from '../../../../core/knowledge/sources/file-types.js';
import { limits } from '../../../../core/schemas/limits.js';
import { bytes } from '../parts/numbers.js';
import { SelfExplained } from './failure.js';
import { agentPath, ask } from './request.js';
import { surroundings } from './surroundings.js';
import type { SignedUpload } from './types.js';

export interface Sending {
  /** `done` is a fraction from 0 to 1. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
}

/** Returns why the file cannot be uploaded; null if it can. */
export function uploadProblem({ name, size }: File): string | null {
  const extension = name.slice(name.lastIndexOf('.')).toLowerCase();
  if (!fileExtensions.some((known) => known === extension))
    return `must have one of the extensions ${fileExtensions.join(', ')}`;
  if (size === 0) return 'is empty';
  return size > limits.files.bytes ? `is larger than ${bytes(limits.files.bytes)}` : null;
}

/** Files per request for signed URLs. */
export const FILES_AT_ONCE = limits.files.max;

export const signUploads = async (agentId: string, files: File[]): Promise<SignedUpload[]> =>
  (
    await ask<{ files: SignedUpload[] }>(agentPath(agentId, 'sources', 'file', 'upload-url'), {
      method: 'POST',
      body: { files: files.map(({ name }) => ({ fileName: name })) },
    })
  ).files;

/**
 * Registers uploaded files. With `unique`, a file whose text exists in another source is not stored, and its task names
 * that source.
 */
export const registerUploads = (
  agentId: string,
  uploads: SignedUpload[],
  unique: boolean,
): Promise<{ jobId: number }> =>
  ask(agentPath(agentId, 'sources', 'file'), {
    method: 'POST',
    query: unique ? { unique: 'true' } : {},
    body: { files: uploads.map(({ storagePath, fileName }) => ({ storagePath, fileName })) },
  });

async function urlOf({ uploadUrl }: SignedUpload): Promise<string> {
  const { uploadsHere } = await surroundings();
  const { pathname, search } = new URL(uploadUrl);
  return uploadsHere ? `${pathname}${search}` : uploadUrl;
}

/** PUTs the bytes with XMLHttpRequest, because `fetch` reports no upload progress. */
export async function putFile(
  file: File,
  upload: SignedUpload,
  { onProgress, signal }: Sending,
): Promise<void> {
  const url = await urlOf(upload);
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', file.type || mediaType(file.name));
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new SelfExplained(`The storage refused the file (${request.status}).`));
    request.onerror = () =>
      reject(
        new SelfExplained(
          'The storage could not be reached. If it is not this service, it must allow this page (CORS).',
        ),
      );
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function mediaType(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return fileTypes[extension as keyof typeof fileTypes]?.[0] ?? 'application/octet-stream';
}
