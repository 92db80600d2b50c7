import { normalForm } from '../../../reader/normal-form.js';
import { wordLists } from '../../locales/word-lists.js';
import { isUnspaced } from './question-phrases.js';
import { questionWords } from './question-words.js';

const patterns = new Map<string, RegExp | null>();

/** Matches questions of a language that depend on the question before; null if the language has no list. */
function patternOf(language: string): RegExp | null {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const { openings, references, endings } = wordLists.get(language)?.followUps ?? {};
  const before = '(?<![\\p{L}\\p{M}\\p{N}])';
  const after = '(?![\\p{L}\\p{M}\\p{N}])';
  const anyOf = (list: string): string =>
    `(?:${list
      .split(',')
      .map((phrase) => phrase.trim())
      .map((phrase) => (isUnspaced(phrase) ? phrase : before + phrase + after))
      .join('|')})`;
  const parts = [
    openings && `^[^\\p{L}\\p{N}]*${anyOf(openings)}`,
    references && anyOf(references),
    endings && `${anyOf(endings)}[^\\p{L}\\p{N}]*$`,
  ].filter(Boolean);
  const pattern = parts.length === 0 ? null : new RegExp(parts.join('|'), 'u');
  patterns.set(language, pattern);
  return pattern;
}

/**
 * Returns whether a text refers to the text before it, as with "and", "what about" or "it". `before` helps to guess
 * the language, because a short question contains few words.
 */
export function refersBack(text: string, before: string): boolean {
  const { languages } = questionWords(`${before}\n${text}`);
  const listed = languages.flatMap((language) => patternOf(language) ?? []);
  const written = normalForm(text, 'NFC').toLowerCase();
  // Several languages may be equally likely. A word of one of them, such as Polish "a", may mean nothing in the others.
  return 2 * listed.filter((pattern) => pattern.test(written)).length > listed.length;
}
