import { fileTypes } from '../../core/knowledge/sources/file-types.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { readFile } from '../../reader/read-file.js';
import type { FileInput, FileKind, Reading } from '../../reader/reading.js';
import type { ExtractResult, Renewed, SameText } from './extract-threads.js';
import { extractionOf } from './extraction.js';

/** Extracts the text of a file. Never rejects. */
export function extractFile(input: FileInput & { knownHash?: never }): Promise<ExtractResult>;
export function extractFile(input: Renewed<FileInput>): Promise<ExtractResult | SameText>;
export async function extractFile({
  knownHash,
  ...input
}: FileInput & Partial<Renewed<object>>): Promise<ExtractResult | SameText> {
  const reading = await readFile(input);
  const result = extractionOf(reading, moreOf(reading), knownHash);
  return reading.scannedPages === undefined ? result : { ...result, scannedPages: reading.scannedPages };
}

const moreOf = (reading: Reading<FileKind>): JsonObject =>
  reading.ok ? { contentType: fileTypes[reading.content.kind][0] } : {};
