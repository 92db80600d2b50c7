import { decodeBody } from '../charset/decode-body.js';
import { type PageInput, type PageKind, type Reading, refused } from '../reading.js';
import { declaredFullText, embeddedText } from './embedded-text.js';
import { normaliseText } from './normalise-text.js';
import { pageByline, pageLanguage } from './page-facts.js';
import { refusePage } from './page-failures.js';
import { parsePage } from './parse-page.js';
import { contentKind, readPlainText } from './plain-text.js';
import { readAs } from './result.js';
import { selectText } from './select-text.js';
import { pageTitle } from './title.js';

const SNIFF_CHARS = 8_192;
const MIN_NOSCRIPT_CHARS = 150;

/** Text shown to browsers without scripts. */
function textWithoutScripts(source: string): string {
  if (!/<noscript/i.test(source)) return '';
  const tree = parsePage(source.replace(/<\/?noscript\b[^<>]*>/gi, ' '));
  const text = selectText(tree);
  return text.length >= MIN_NOSCRIPT_CHARS && refusePage(tree, text) === null ? text : '';
}

/** Extracts the main text of a page or text document. Pure: the same bytes give the same result. */
export function readPage(input: PageInput): Reading<PageKind> {
  const isText = /^\s*text\/(?:plain|markdown|x-markdown)\b/i.test(input.contentType ?? '');
  const { text: source, charset } = decodeBody(input.bytes, input.contentType, !isText);
  const kind = contentKind(input.contentType, input.url, source.slice(0, SNIFF_CHARS));
  if (kind !== 'html') {
    const { title, text } = readPlainText(source, kind, input.url);
    if (text === '') return refused('EMPTY_TEXT');
    return readAs(kind, title, text, { charset, language: null });
  }
  const tree = parsePage(source);
  let text = normaliseText(selectText(tree));
  let failure = refusePage(tree, text);
  if (failure === 'EMPTY_TEXT') {
    text = normaliseText(textWithoutScripts(source) || embeddedText(tree));
    failure = text === '' ? 'EMPTY_TEXT' : refusePage(tree, text);
  } else if (failure === null) text = normaliseText(declaredFullText(tree, text)) || text;
  if (failure !== null) return refused(failure);
  const byline = pageByline(tree);
  const facts = { charset, language: pageLanguage(tree), ...(byline === null ? {} : { byline }) };
  return readAs(kind, pageTitle(tree, input.url), text, facts, tree.isCut);
}
