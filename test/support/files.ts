import type { ApiClient } from './api-client.js';
import { body } from './api-client.js';

/** The three steps of a file source. */

export interface SignedEntry {
  fileName: string;
  storagePath: string;
  uploadUrl: string;
  token: string;
}

export const signUploads = async (
  api: ApiClient,
  agentId: string,
  fileNames: string[],
): Promise<SignedEntry[]> => {
  const files = fileNames.map((fileName) => ({ fileName }));
  return (
    await body(api.post<{ files: SignedEntry[] }>(`/agents/${agentId}/sources/file/upload-url`, { files }))
  ).files;
};

/** Sends bytes to a signed URL with only Content-Type; returns the status. */
export async function putBytes(uploadUrl: string, bytes: Uint8Array<ArrayBuffer> | string): Promise<number> {
  const answer = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: Buffer.from(bytes as string),
  });
  await answer.arrayBuffer();
  return answer.status;
}

export const registration = (entries: Pick<SignedEntry, 'storagePath' | 'fileName'>[]) => ({
  files: entries.map(({ storagePath, fileName }) => ({ storagePath, fileName })),
});

/** Signs and uploads, but does not register. */
export async function uploadFiles(
  api: ApiClient,
  agentId: string,
  files: Record<string, Uint8Array<ArrayBuffer> | string>,
): Promise<SignedEntry[]> {
  const entries = await signUploads(api, agentId, Object.keys(files));
  for (const { uploadUrl, fileName } of entries) {
    const status = await putBytes(uploadUrl, files[fileName] ?? '');
    if (status !== 201) throw new Error(`PUT of ${fileName}: ${status}`);
  }
  return entries;
}
