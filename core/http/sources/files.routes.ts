import { v7 as uuidv7 } from 'uuid';
import type { RegisteredFile } from '../../actors/agent/messages.js';
import { ApiError, invalidFields } from '../../errors/api-error.js';
import { responseOf } from '../pipeline/respond-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import {
  filesAccepted,
  registerFilesBody,
  registerFilesQuery,
  signedUploads,
  uploadUrlBody,
} from './sources.schema.js';

interface FileToRegister {
  storagePath: string;
  fileName: string;
  externalId?: string;
}

export const fileRoutes: Route[] = [
  route({
    id: 'createUploadUrls',
    method: 'POST',
    path: '/agents/:agentId/sources/file/upload-url',
    scope: 'agent',
    permission: 'edit',
    summary: 'Step 1 of 3: get a signed URL for each file',
    description:
      'Step 2: send the bytes of each file with PUT to its `uploadUrl`, with the header `Content-Type` and no other. Then call `registerFiles` with each `storagePath` and `fileName` of this response. A URL is valid for one file of at most 50 MiB, and for one hour, unless configured otherwise. In this time, the same `Idempotency-Key` returns the same URLs.',
    body: uploadUrlBody,
    idempotent: 'withIt',
    expires: true,
    responses: { 200: signedUploads },
    async handle({ agent, body, origin, idempotency }, { agents, ports, clock, uploadTtlSeconds }) {
      const expiresAt = (clock.now() + uploadTtlSeconds * 1000) / 1000;
      const uploads = body.files.map(({ fileName }) => ({
        fileName,
        storagePath: `agents/${agent.id}/${uuidv7()}${extensionOf(fileName)}`,
      }));
      const files = await Promise.all(
        uploads.map(async (upload) => ({
          ...upload,
          ...(await ports.storage.signUpload(upload.storagePath, { expiresAt, origin: origin() })),
        })),
      );
      // Store the paths before the client gets them, so that every upload can be registered or swept.
      const message = { kind: 'issueUploads', uploads } as const;
      // A repeated request must not get expired URLs.
      const once = { agentId: agent.id, idempotency, expiresAt };
      return responseOf(agents, once, message, () => ok({ files }));
    },
  }),
  route({
    id: 'registerFiles',
    method: 'POST',
    path: '/agents/:agentId/sources/file',
    scope: 'agent',
    permission: 'edit',
    summary: 'Step 3 of 3: register the uploaded files, and start to read them',
    description:
      'Starts one job with a task for each file. The bytes of the files count as storage. A source appears when its file has been read: poll the job with `getJob`. If one file is refused, no file is registered.',
    query: registerFilesQuery,
    body: registerFilesBody,
    idempotent: 'withIt',
    responses: { 202: filesAccepted },
    refusals: ['QUOTA_STORAGE_LIMIT'],
    async handle({ agent, query, body, requestId, idempotency }, services) {
      await assertIssued(agent.id, body.files, services);
      // Refuse before anything is sealed, so that refused files can be uploaded again.
      await assertRoom(agent.workspaceId, await seal(body.files, { ...services, fixUpTo: 0 }), services);
      const files = await seal(body.files, { ...services, fixUpTo: services.maxUploadBytes });
      const unique = query.unique ?? false;
      const message = { kind: 'indexFiles', files, unique, requestId } as const;
      return responseOf(services.agents, { agentId: agent.id, idempotency }, message, ({ job }) =>
        accepted({ jobId: job.id, fileCount: files.length }),
      );
    },
  }),
];

/** The characters of issued paths. Paths with others are not looked up, because databases collate them differently. */
const STORAGE_PATH = /^[A-Za-z0-9._/-]+$/;

const extensionOf = (fileName: string): string => fileName.slice(fileName.lastIndexOf('.')).toLowerCase();

/** Reports the problems of all files together. */
async function assertIssued(agentId: string, files: FileToRegister[], { reads }: Services): Promise<void> {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { storagePath, fileName } of files) {
    const upload = STORAGE_PATH.test(storagePath) ? await reads.upload(agentId, storagePath) : null;
    if (seen.has(storagePath)) problems.push(`${fileName}: this storagePath is named twice`);
    else if (!upload)
      problems.push(
        `${fileName}: this storagePath was not issued for this agent, or was removed; ask for a new one`,
      );
    else if (upload.registeredAt !== null)
      problems.push(`${fileName}: this storagePath is already registered`);
    else if (upload.fileName !== fileName)
      problems.push(`${fileName}: this storagePath was issued for another fileName`);
    seen.add(storagePath);
  }
  if (problems.length > 0) throw invalidFields({ files: problems });
}

/** Inspects uploads, and seals uploads of at most `fixUpTo` bytes. Throws 400 if an upload cannot be registered. */
async function seal(
  files: FileToRegister[],
  { ports, maxUploadBytes, fixUpTo }: Services & { fixUpTo: number },
): Promise<RegisteredFile[]> {
  const sealed = await Promise.all(
    files.map(async (file) => ({
      ...file,
      object: await ports.storage.sealUpload(file.storagePath, { maxBytes: fixUpTo }),
    })),
  );
  const problems: string[] = [];
  const registered: RegisteredFile[] = [];
  for (const { storagePath, fileName, externalId, object } of sealed) {
    if (!object) problems.push(`${fileName}: nothing was uploaded; PUT its bytes to the uploadUrl first`);
    else if (object.bytes === 0) problems.push(`${fileName}: the uploaded file is empty`);
    else if (object.bytes > maxUploadBytes)
      problems.push(`${fileName}: the uploaded file is larger than ${maxUploadBytes} bytes`);
    else registered.push({ storagePath, fileName, externalId, ...object });
  }
  if (problems.length > 0) throw invalidFields({ files: problems });
  return registered;
}

/** Refuses uploads that exceed the storage before they are sealed. The turn checks again. */
async function assertRoom(
  workspaceId: string,
  files: RegisteredFile[],
  { workspaces, entitlementsOf }: Services,
): Promise<void> {
  const workspace = await workspaces.find(workspaceId);
  if (!workspace) return;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (workspace.storageBytes + bytes > entitlementsOf(workspace).limits.storageBytes)
    throw new ApiError('QUOTA_STORAGE_LIMIT');
}
