import { parseFile } from '../../../workers/parse/parse-file.task.js';
import { createRecognition } from '../../../workers/recognise/recognition.js';
import t from '../../support/t.js';

const payload = { storagePath: 'a/b', fileName: 'a.txt', bytes: 1, etag: '"1"' };
const threads = { file: () => Promise.reject(new Error('not in this test')) };
const recognition = createRecognition({ languages: [], maxPages: 1 });

/** A storage plugin throws its own error class, because it may load another copy of `cadre` or none. */
class ForeignError extends Error {
  readonly code: string;
  constructor(code: string) {
    super('from elsewhere');
    this.code = code;
  }
}

t.test('storage failures are recognised by their code, regardless of the class', async (t) => {
  const expected = {
    OBJECT_MISSING: 'FILE_MISSING',
    OBJECT_CHANGED: 'FILE_CHANGED',
    STORAGE_FAILED: 'STORAGE_FAILED',
  };
  for (const [code, failure] of Object.entries(expected)) {
    const storage = { open: () => Promise.reject(new ForeignError(code)) };
    await t.rejects(parseFile(payload, { storage, threads, recognition }, AbortSignal.timeout(5000)), {
      name: 'TaskFailure',
      failure: { code: failure },
    });
  }
});

t.test('unknown storage errors are rethrown', async (t) => {
  const bug = new ForeignError('ERR_INVALID_ARG_TYPE');
  const storage = { open: () => Promise.reject(bug) };
  await t.rejects(parseFile(payload, { storage, threads, recognition }, AbortSignal.timeout(5000)), bug);
});
