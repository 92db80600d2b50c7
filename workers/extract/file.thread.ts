import { createHash } from 'node:crypto';
import { type Failure, TaskFailure } from '../../core/jobs/failures.js';
import { chunkText } from '../../core/knowledge/chunk-text.js';
import { fileContentTypes } from '../../core/schemas/source-metadata.js';
import type { ExtractResult, FileInput } from './extract.js';
import { extractDocument } from './file/extract-document.js';
import { defaultLimits, type ExtractLimits } from './file/limits.js';

/** Text of one uploaded or fetched file. Never rejects: what goes wrong is a value with a code of core/jobs/failures.ts. */
export async function extractFile(input: FileInput): Promise<ExtractResult> {
  return extractFileWithin(input, defaultLimits);
}

/** The same, within other budgets. */
export async function extractFileWithin(input: FileInput, limits: ExtractLimits): Promise<ExtractResult> {
  try {
    const document = await extractDocument(input.bytes, input.fileName, limits);
    const chunks = chunkText(document.text);
    return {
      ok: true,
      contentHash: createHash('sha256').update(document.text, 'utf8').digest('hex'),
      extraction: {
        title: document.title,
        text: document.text,
        chunks,
        metadata: {
          contentKind: document.kind,
          contentType: fileContentTypes[document.kind],
          ...document.metadata,
          titleSource: document.titleSource,
          chunks: chunks.length,
          truncated: document.truncated,
        },
      },
    };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

/** Only our own failures tell anything; what a parser stumbled over may hold parts of the file. */
function failureOf(error: unknown): Failure {
  if (error instanceof TaskFailure) return error.failure;
  const isTooDeep = error instanceof RangeError;
  return new TaskFailure(isTooDeep ? 'FILE_TOO_COMPLEX' : 'FILE_UNPARSABLE').failure;
}
