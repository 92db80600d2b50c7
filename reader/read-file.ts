import { ExtractError } from './extract-error.js';
import { extractDocument } from './file/extract-document.js';
import { defaultLimits, type ExtractLimits } from './file/limits.js';
import { type FileInput, type FileKind, type Reading, refused } from './reading.js';

export type { ExtractLimits } from './file/limits.js';

/** Extracts the text of an uploaded or fetched file, within `limits` or the default limits. Never rejects. */
export async function readFile(
  input: FileInput,
  limits: ExtractLimits = defaultLimits,
): Promise<Reading<FileKind>> {
  try {
    const document = await extractDocument(input, limits);
    const { kind, title, titleSource, text, metadata, truncated, scannedPages } = document;
    const facts = { ...metadata, titleSource };
    const content = { title, text, kind, facts, isCut: truncated };
    return { ok: true, content, ...(scannedPages?.length ? { scannedPages } : {}) };
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * Returns the code of an ExtractError. Other errors are not reported in detail, because they may contain parts of the
 * file.
 */
function refusalOf(error: unknown): Reading<never> {
  if (error instanceof ExtractError) {
    const { code, sentence, scannedPages } = error;
    return { ...refused(code, sentence), ...(scannedPages.length > 0 ? { scannedPages } : {}) };
  }
  const isTooDeep = error instanceof RangeError;
  return refused(isTooDeep ? 'FILE_TOO_COMPLEX' : 'FILE_UNPARSABLE');
}
