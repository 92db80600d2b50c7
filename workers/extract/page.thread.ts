import type { ExtractResult, PageInput } from './extract.js';
import { decodeBody } from './page/charset.js';
import { parsePage } from './page/html-tree.js';
import { normaliseText } from './page/normalise-text.js';
import { pageByline, pageLanguage } from './page/page-facts.js';
import { refusePage } from './page/page-failures.js';
import { contentKind, readPlainText } from './page/plain-text.js';
import { extracted, refused } from './page/result.js';
import { selectText } from './page/select-text.js';
import { pageTitle } from './page/title.js';

export { findCaptionTracks } from './transcript/caption-tracks.js';
export { extractTranscript } from './transcript/extract-transcript.js';

const SNIFF_CHARS = 8_192;

/** The main text of a page or text document. Pure: the same bytes give the same result. */
export function extractPage(input: PageInput): ExtractResult {
  const isText = /^\s*text\/(?:plain|markdown|x-markdown)\b/i.test(input.contentType ?? '');
  const { text: source, charset } = decodeBody(input.bytes, input.contentType, !isText);
  const kind = contentKind(input.contentType, input.url, source.slice(0, SNIFF_CHARS));
  if (kind !== 'html') {
    const { title, text } = readPlainText(source, kind, input.url);
    if (text === '') return refused('EMPTY_TEXT');
    return extracted(title, text, { charset, language: null, contentKind: kind });
  }
  const tree = parsePage(source);
  const text = normaliseText(selectText(tree));
  const failure = refusePage(tree, text);
  if (failure !== null) return refused(failure);
  const byline = pageByline(tree);
  return extracted(pageTitle(tree), text, {
    charset,
    language: pageLanguage(tree),
    contentKind: kind,
    ...(byline === null ? {} : { byline }),
  });
}
