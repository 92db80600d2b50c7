import { fileTypes } from '../../core/knowledge/file-types.js';
import { type ExtractLimits, readFile } from '../extract/read.js';
import type { FileInput } from '../extract/reading.js';
import type { ExtractResult } from './extract-threads.js';
import { extractionOf } from './extraction.js';

/** Text of one uploaded or fetched file. Never rejects. */
export const extractFile = (input: FileInput): Promise<ExtractResult> => extractFileWithin(input);

/** The same, within other budgets than the usual. */
export async function extractFileWithin(input: FileInput, limits?: ExtractLimits): Promise<ExtractResult> {
  const reading = await readFile(input, limits);
  return extractionOf(reading, reading.ok ? { contentType: fileTypes[reading.content.kind][0] } : {});
}
