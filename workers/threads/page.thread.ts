import { readPage, readTranscript } from '../../reader/read-pages.js';
import type { PageInput, TranscriptInput } from '../../reader/reading.js';
import type { ExtractResult, Renewed, SameText } from './extract-threads.js';
import { extractionOf } from './extraction.js';

export { findCaptionTracks, refreshTarget } from '../../reader/read-pages.js';
export { listSitemap } from '../crawl/list-sitemap.js';
export { isAllowed, robotsFacts } from '../crawl/robots-rules.js';
export { readSitePage } from './site-page.js';

/** Extracts the main text of a page or text document. */
export function extractPage(input: PageInput & { knownHash?: never }): ExtractResult;
export function extractPage(input: Renewed<PageInput>): ExtractResult | SameText;
export function extractPage({
  knownHash,
  ...input
}: PageInput & Partial<Renewed<object>>): ExtractResult | SameText {
  return extractionOf(readPage(input), {}, knownHash);
}

/** Extracts the transcript of a caption track. */
export function extractTranscript(input: TranscriptInput & { knownHash?: never }): ExtractResult;
export function extractTranscript(input: Renewed<TranscriptInput>): ExtractResult | SameText;
export function extractTranscript({
  knownHash,
  ...input
}: TranscriptInput & Partial<Renewed<object>>): ExtractResult | SameText {
  return extractionOf(readTranscript(input), {}, knownHash);
}
