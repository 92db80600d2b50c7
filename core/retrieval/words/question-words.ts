import { normalForm } from '../../../reader/normal-form.js';
import { analyse } from '../analysis/analyse.js';
import { foldText } from '../analysis/fold-text.js';
import { commonInUnspaced, languagesOf } from './languages.js';

/** A word of a question. */
export interface QuestionWord {
  /** The whole word, folded by `foldText`. */
  word: string;
  /** Index terms of the word. */
  terms: readonly string[];
  /** Whether this is a stop word, which says little about the topic. */
  isCommon: boolean;
}

export interface QuestionWords {
  words: QuestionWord[];
  /** Languages that the question may be in; empty if unknown. */
  languages: readonly string[];
}

const run = /[\p{L}\p{M}\p{N}]+/gu;
const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const thai = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const unspaced = new RegExp(`${han.source}|${thai.source}`, 'u');
/**
 * Finds the words in scripts without spaces. Its rules may change with Node.js; only weights depend on them, not the
 * stored index.
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** The segmenter copies its whole input for each word, so it receives at most 500 characters at once. */
const segmented = /.{1,500}/gsu;
/** `analyse` indexes overlapping trigrams of these scripts; a shorter word has no term of its own. */
const THAI_TERM = 3;

/** Japanese particles and endings. */
const particle = /^\p{Script=Hiragana}{1,2}$/u;

const lengthOf = (text: string): number => [...text].length;

function wordsIn(text: string): string[] {
  if (!unspaced.test(text)) return [text];
  return text
    .split(commonInUnspaced)
    .flatMap((part, n) => (n % 2 === 1 ? part : (part.match(segmented) ?? []).flatMap(segmentsOf)));
}

const segmentsOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/**
 * Returns the index terms of a folded word. For a word of several Han characters, these are only its bigrams, because
 * single characters occur in many other words.
 */
export function termsOf(word: string): string[] {
  const terms = [...new Set(analyse(word))];
  if (thai.test(word)) return terms.filter((term) => lengthOf(term) >= THAI_TERM);
  const isLong = lengthOf(word) > 1;
  return terms.filter((term) => !isLong || !han.test(term) || lengthOf(term) > 1);
}

/** Joins adjacent single characters into one word, because a single character occurs in many other words. */
function joined(words: readonly string[], isCommon: (word: string) => boolean): string[] {
  const isSingle = (word: string) => han.test(word) && lengthOf(word) === 1 && !isCommon(word);
  const all: string[] = [];
  let isOpen = false;
  for (const word of words) {
    if (isOpen && isSingle(word)) all.push((all.pop() ?? '') + word);
    else all.push(word);
    isOpen = isSingle(word);
  }
  return all;
}

/** Splits a question into its distinct words. */
export function questionWords(question: string): QuestionWords {
  const written = (normalForm(question, 'NFKC').match(run) ?? []).flatMap(wordsIn);
  const { languages, isCommon: isListed } = languagesOf(written);
  const split = written.map(foldText).filter((word) => word !== '');
  const isCommon = (word: string) => particle.test(word) || isListed(word);
  const words = [...new Set(joined(split, isCommon))].map((word) => ({
    word,
    terms: termsOf(word),
    isCommon: isCommon(word),
  }));
  return { words: words.filter(({ terms }) => terms.length > 0), languages };
}
