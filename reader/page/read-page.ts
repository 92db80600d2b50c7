import { decodeBody } from '../charset/decode-body.js';
import { type PageInput, type PageKind, type Reading, refused } from '../reading.js';
import { selectText } from './content/select-text.js';
import { declaredFullText, embeddedText } from './embedded-text.js';
import { pageByline, pageLanguage } from './facts/page-facts.js';
import { pageTitle } from './facts/title.js';
import { normaliseText } from './normalise-text.js';
import { demandsScripts, refusePage } from './page-failures.js';
import { contentKind, readPlainText } from './plain-text.js';
import { readAs } from './result.js';
import { parsePage } from './tree/parse-page.js';

const SNIFF_CHARS = 8_192;
const MIN_NOSCRIPT_CHARS = 150;
/** A shorter visible text may be only a banner above the text for browsers without scripts. */
const MAX_BANNER_CHARS = 500;
const MUCH_FULLER = 5;

/** Returns the text for browsers without scripts if it is content and has at least `minChars`. */
function textWithoutScripts(source: string, minChars = MIN_NOSCRIPT_CHARS): string {
  if (!/<noscript/i.test(source)) return '';
  const tree = parsePage(source.replace(/<\/?noscript\b[^<>]*>/gi, ' '));
  const text = normaliseText(selectText(tree));
  return text.length >= minChars && refusePage(tree, text) === null ? text : '';
}

/**
 * Returns the text for browsers without scripts, for a page that looks like a login. A request to enable scripts is not
 * content.
 */
function textBehindLogin(source: string): string {
  const text = textWithoutScripts(source);
  return demandsScripts(text) ? '' : text;
}

/** Extracts the main text of a page or text document. Deterministic: the same bytes give the same result. */
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
    text = textWithoutScripts(source) || normaliseText(embeddedText(tree));
    failure = text === '' ? 'EMPTY_TEXT' : refusePage(tree, text);
  } else if (failure === 'LOGIN_REQUIRED') {
    text = textBehindLogin(source);
    failure = text === '' ? 'LOGIN_REQUIRED' : null;
  } else if (failure === null) {
    text = normaliseText(declaredFullText(tree, text)) || text;
    if (text.length <= MAX_BANNER_CHARS)
      text = textWithoutScripts(source, MUCH_FULLER * Math.max(text.length, MIN_NOSCRIPT_CHARS)) || text;
  }
  if (failure !== null) return refused(failure);
  const byline = pageByline(tree);
  const facts = { charset, language: pageLanguage(tree), ...(byline === null ? {} : { byline }) };
  return readAs(kind, pageTitle(tree, input.url), text, facts, tree.isCut);
}
