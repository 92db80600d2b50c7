import { ApiError, invalidField } from '../../../errors/api-error.js';
import { seconds } from '../../../ports/clock.port.js';
import { limits } from '../../../schemas/limits.js';
import type { Handler } from '../handler.js';
import { openJob, parseTask } from '../jobs/job-opening.js';
import { reserveStorage } from './storage-allowance.js';

export const issueUploads: Handler<'issueUploads'> = async ({ turn, rules }, { uploads }) => {
  // Lock the workspace: the limit applies to all its agents and processes.
  await turn.workspace();
  const open = (await turn.uploads.open()).count;
  if (open + uploads.length > limits.files.open)
    throw invalidField(
      'files',
      `would exceed the limit of ${limits.files.open} unregistered uploads, with ${open + uploads.length}: register some of them, or wait until they expire`,
    );
  const issuedAt = seconds(rules.clock.now());
  await turn.uploads.insert(uploads.map((upload) => ({ ...upload, issuedAt })));
  return null;
};

export const indexFiles: Handler<'indexFiles'> = async (context, { files, unique, requestId }) => {
  const { turn, rules } = context;
  const now = seconds(rules.clock.now());
  await turn.workspace();
  for (const file of files) {
    // The sender has checked this, but a concurrent request may have registered it in the meantime.
    if (!(await turn.uploads.register(file.storagePath, file.bytes, now))) {
      throw invalidField('files', `${file.fileName}: this storagePath is already registered`);
    }
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  // A storage that clients write to directly accepts any number of bytes.
  if ((await turn.uploads.open()).bytes + bytes > rules.openUploadBytes)
    throw invalidField(
      'files',
      `exceed the limit of ${rules.openUploadBytes} bytes for uploads that are not registered yet: register fewer files at a time`,
    );
  if (!(await reserveStorage(context, bytes))) throw new ApiError('QUOTA_STORAGE_LIMIT');
  const job = await openJob(context, {
    type: 'index_files',
    requestId,
    tasks: files.map((file) => parseTask(file, unique)),
  });
  return { job };
};
