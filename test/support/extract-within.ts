import { type ExtractLimits, readFile } from '../../reader/read-file.js';
import type { FileInput } from '../../reader/reading.js';
import type { ExtractResult } from '../../workers/threads/extract-threads.js';
import { extractionOf } from '../../workers/threads/extraction.js';

/** Extracts a file like a thread, with other limits than the default ones. */
export const extractFileWithin = async (input: FileInput, limits: ExtractLimits): Promise<ExtractResult> =>
  extractionOf(await readFile(input, limits), {});
