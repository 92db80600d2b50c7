import { readPage, readTranscript } from '../extract/read.js';
import type { PageInput, TranscriptInput } from '../extract/reading.js';
import type { ExtractResult } from './extract-threads.js';
import { extractionOf } from './extraction.js';

export { findCaptionTracks } from '../extract/read.js';

/** The main text of a page or text document. */
export const extractPage = (input: PageInput): ExtractResult => extractionOf(readPage(input));

/** The transcript that a caption track holds. */
export const extractTranscript = (input: TranscriptInput): ExtractResult =>
  extractionOf(readTranscript(input));
