import type { ExtractErrorCode } from '../extract-error.js';
import { pageHeadings } from './facts/title.js';
import { loginPhrases, notFoundPhrases, scriptDemands } from './fixed-phrases.js';
import { foldBlanks } from './tree/fold-blanks.js';
import type { PageTree } from './tree/page-tree.js';

/** A page with more text has content, regardless of its title. */
const MAX_NOTICE_CHARS = 900;
/** Notices consist of short sentences. A longer paragraph is content. */
const MAX_NOTICE_LINE = 400;
const MAX_SHELL_CHARS = 250;
const MAX_WALL_CHARS = 500;
/** Words allowed around "not found" in a title. */
const MAX_OTHER_WORDS = 3;
const MAX_WORDS_BESIDE_WEAK = 1;
/** Phrases that are not sufficient on their own. */
const weakPhrase = /^\W*(?:not found|nothing (?:was )?found(?: here)?|nicht gefunden|introuvable|404)\W*$/iu;

/** Returns the reason why a page has no content, or null. A short page may have content. */
export function refusePage(tree: PageTree, text: string): ExtractErrorCode | null {
  const title = foldBlanks(tree.head.title).trim().slice(0, 500);
  const heading = pageHeadings(tree)[0] ?? '';
  const body = text.replace(/^#+ /gm, '').trim();
  if (
    body.length <= MAX_NOTICE_CHARS &&
    longestLine(body) <= MAX_NOTICE_LINE &&
    (saysNotFound(title) || saysNotFound(heading) || firstLines(body).some(saysNotFound))
  ) {
    return 'SOFT_NOT_FOUND';
  }
  if (tree.head.hasPasswordField && body.length <= MAX_WALL_CHARS) {
    if (body === '' || [title, heading, body].some((part) => loginPhrases.test(part)))
      return 'LOGIN_REQUIRED';
  }
  if (body === '' || (body.length <= MAX_SHELL_CHARS && scriptDemands.test(body))) return 'EMPTY_TEXT';
  return null;
}

/** Returns whether a text, as short as a notice, asks the reader to enable scripts. */
export const demandsScripts = (text: string): boolean =>
  text.length <= MAX_NOTICE_CHARS && scriptDemands.test(text);

const longestLine = (body: string): number =>
  body.split('\n').reduce((most, line) => Math.max(most, line.length), 0);

function firstLines(body: string): string[] {
  return body.length <= MAX_SHELL_CHARS
    ? body
        .split('\n')
        .filter((line) => line !== '')
        .slice(0, 2)
    : [];
}

const bareNumber =
  /^\W*(?:(?:error|http|status|code|fehler|erreur|oops)\W*)*404(?:\W+(?:error|fehler|erreur|page))*\W*$/iu;

/** Returns whether part of a title or heading says that the page does not exist. */
function saysNotFound(title: string): boolean {
  if (title === '' || title.length > 200) return false;
  return title.split(/\s[|\-–—·»]\s|[:|]\s/).some((part) => {
    if (bareNumber.test(part)) return true;
    const match = notFoundPhrases.exec(part);
    if (match === null || match[0].replace(/\W/g, '') === '404')
      return /\b404\b/.test(part) && /not found/i.test(part);
    const others = `${part.slice(0, match.index)} ${part.slice(match.index + match[0].length)}`;
    const words = others.match(/[\p{L}\p{N}]+/gu) ?? [];
    const limit = weakPhrase.test(match[0]) ? MAX_WORDS_BESIDE_WEAK : MAX_OTHER_WORDS;
    return (
      words.filter(
        (word) =>
          !/^(?:404|oops|ooops|sorry|error|uh|oh|the|this|http|leider|désolé|lo|sentimos|извините)$/iu.test(
            word,
          ),
      ).length <= limit
    );
  });
}
