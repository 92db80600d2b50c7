import { ExtractError } from './extract-error.js';
import type { ExtractLimits } from './file/limits.js';
import { type FileInput, type FileKind, type Reading, refused } from './reading.js';

export type { ExtractLimits } from './file/limits.js';
export { readPage } from './page/read-page.js';
export { findCaptionTracks } from './transcript/caption-tracks.js';
export { readTranscript } from './transcript/read-transcript.js';

/** Text of a document file, uploaded or found on the web, within `limits` or the usual budgets. Never rejects. */
export async function readFile(input: FileInput, limits?: ExtractLimits): Promise<Reading<FileKind>> {
  // A thread that reads pages has no use for the parsers of files.
  const [{ extractDocument }, { defaultLimits }] = await Promise.all([
    import('./file/extract-document.js'),
    import('./file/limits.js'),
  ]);
  try {
    const { kind, title, titleSource, text, metadata, truncated } = await extractDocument(
      input.bytes,
      input.fileName,
      limits ?? defaultLimits,
    );
    const facts = { ...metadata, titleSource };
    return { ok: true, content: { title, text, kind, facts, isCut: truncated } };
  } catch (error) {
    return refusalOf(error);
  }
}

/** Only our own errors tell anything; what a parser stumbled over may hold parts of the file. */
function refusalOf(error: unknown): Reading<never> {
  if (error instanceof ExtractError) return refused(error.code, error.sentence);
  const isTooDeep = error instanceof RangeError;
  return refused(isTooDeep ? 'FILE_TOO_COMPLEX' : 'FILE_UNPARSABLE');
}
