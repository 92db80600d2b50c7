import type { ExtractResult, PageInput } from './extract.js';
import { decodeBody } from './page/charset.js';
import { embeddedText, fullerText } from './page/embedded-text.js';
import { normaliseText } from './page/normalise-text.js';
import { pageByline, pageLanguage } from './page/page-facts.js';
import { refusePage } from './page/page-failures.js';
import { parsePage } from './page/parse-page.js';
import { contentKind, readPlainText } from './page/plain-text.js';
import { extracted, refused } from './page/result.js';
import { selectText } from './page/select-text.js';
import { pageTitle } from './page/title.js';

export { findCaptionTracks } from './transcript/caption-tracks.js';
export { extractTranscript } from './transcript/extract-transcript.js';

const SNIFF_CHARS = 8_192;
const MIN_NOSCRIPT_CHARS = 150;

/** What a page shows to readers without scripts, where that is a text. */
function textWithoutScripts(source: string): string {
  if (!/<noscript/i.test(source)) return '';
  const tree = parsePage(source.replace(/<\/?noscript\b[^<>]*>/gi, ' '));
  const text = selectText(tree);
  return text.length >= MIN_NOSCRIPT_CHARS && refusePage(tree, text) === null ? text : '';
}

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
  let text = normaliseText(selectText(tree));
  let failure = refusePage(tree, text);
  if (failure === 'EMPTY_TEXT') {
    text = normaliseText(textWithoutScripts(source) || embeddedText(tree));
    failure = text === '' ? 'EMPTY_TEXT' : refusePage(tree, text);
  } else if (failure === null) text = normaliseText(fullerText(tree, text)) || text;
  if (failure !== null) return refused(failure);
  const byline = pageByline(tree);
  const facts = {
    charset,
    language: pageLanguage(tree),
    contentKind: kind,
    ...(byline === null ? {} : { byline }),
  };
  return extracted(pageTitle(tree), text, facts, tree.isCut);
}
