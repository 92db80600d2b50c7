import type { WordLists } from '../../../core/locales/locale.schema.js';
import { wordLists } from '../../../core/locales/word-lists.js';
import { foldText } from '../../../core/retrieval/analysis/fold-text.js';
import { refersBack } from '../../../core/retrieval/words/follow-ups.js';
import { isNegated } from '../../../core/retrieval/words/negations.js';
import { numbersIn } from '../../../core/retrieval/words/numbers.js';
import { asksFor } from '../../../core/retrieval/words/question-phrases.js';
import { questionWords, termsOf } from '../../../core/retrieval/words/question-words.js';
import { similarTo } from '../../../core/retrieval/words/similar-words.js';
import { isValueKind } from '../../../core/retrieval/words/value-kinds.js';
import { formsOf } from '../../../core/retrieval/words/word-forms.js';
import t from '../../support/t.js';

interface Use {
  entries: string[];
  /** Returns whether a text of the language with this entry is recognised. */
  isUsed(entry: string): boolean;
}

const phrasesOf = (list = ''): string[] => list.split(',').flatMap((phrase) => phrase.trim() || []);
const LETTERS = 6;

/** The word `qrst` with an ending, cut to its first letters. */
const formWith = (ending: string): string => `qrst${ending === '-' ? '' : foldText(ending)}`;

/** Number of words from which the language of a text is guessed. */
const ENOUGH_WORDS = 50;

const textOf = ({ common }: WordLists): string => common.split(/\s+/).slice(0, ENOUGH_WORDS).join(' ');

/** Returns the beginning of the list without negations. */
const statementOf = (words: WordLists): string =>
  textOf(words)
    .split(' ')
    .filter((word) => !phrasesOf(words.negations).some((phrase) => foldText(word).includes(foldText(phrase))))
    .join(' ');

const uses: Record<string, (words: WordLists, language: string) => Use> = {
  common: ({ common }) => {
    const topics = questionWords(common).words.flatMap(({ word, isCommon }) => (isCommon ? [] : word));
    return {
      entries: common.split(/\s+/),
      isUsed: (entry) => !topics.some((word) => foldText(entry).includes(word)),
    };
  },
  endings: ({ endings = [] }, language) => ({
    entries: endings.flatMap((line) =>
      line.split(' ').flatMap((one) => line.split(' ').map((other) => `${one} ${other}`)),
    ),
    isUsed: (pair) => {
      const [one = '', other = ''] = pair.split(' ').map(formWith);
      const terms = [one.slice(0, LETTERS), ...formsOf(one, [language])];
      return terms.includes(other.slice(0, LETTERS));
    },
  }),
  synonyms: ({ synonyms = [] }, language) => ({
    entries: synonyms.flatMap((line) =>
      line.split(' ').flatMap((word) => (isValueKind(word) ? [] : `${word} = ${line}`)),
    ),
    isUsed: (entry) => {
      const [word = '', line = ''] = entry.split(' = ');
      const terms = [...termsOf(foldText(word)), ...similarTo(foldText(word), [language])];
      return line
        .split(' ')
        .flatMap((other) => (isValueKind(other) ? other : termsOf(foldText(other))))
        .every((term) => terms.includes(term));
    },
  }),
  'questions for a time': ({ questions }) => ({
    entries: phrasesOf(questions.time),
    isUsed: (entry) => asksFor('time', `X ${entry} X?`),
  }),
  'questions for a number': ({ questions }) => ({
    entries: phrasesOf(questions.number),
    isUsed: (entry) => asksFor('number', `X ${entry} X?`),
  }),
  'questions for an extent': ({ questions }) => ({
    entries: phrasesOf(questions.extent),
    isUsed: (entry) => asksFor('extent', `X ${entry} X?`) && asksFor('amount', `X ${entry} X?`),
  }),
  numbers: ({ numbers }, language) => ({
    entries: phrasesOf(numbers),
    isUsed: (entry) => numbersIn(`X ${entry} X.`, [language])?.length === 1,
  }),
  'openings of follow-ups': (words) => ({
    entries: phrasesOf(words.followUps?.openings),
    isUsed: (entry) => refersBack(`${entry} X?`, textOf(words)),
  }),
  'references of follow-ups': (words) => ({
    entries: phrasesOf(words.followUps?.references),
    isUsed: (entry) => refersBack(`X ${entry} X?`, textOf(words)),
  }),
  'endings of follow-ups': (words) => ({
    entries: phrasesOf(words.followUps?.endings),
    isUsed: (entry) => refersBack(`X ${entry}?`, textOf(words)) && !refersBack('X X?', textOf(words)),
  }),
  negations: (words) => {
    const statement = statementOf(words);
    return {
      entries: phrasesOf(words.negations),
      isUsed: (entry) => !isNegated(statement) && isNegated(`${statement} ${entry}.`),
    };
  },
};

const articles: Record<string, string> = {
  de: 'ein eine einen einem einer eines',
  en: 'a an the',
  es: 'un una el la',
  fr: 'un une le la',
  it: 'un uno una il la',
  nl: 'een de het',
  pt: 'um uma o a',
  sv: 'en ett den det',
  tr: 'bir',
};

t.test('no article counts as a number', async (t) => {
  for (const [language, listed] of Object.entries(articles))
    t.same(numbersIn(listed, [language]), [], language);
});

for (const [name, usesOf] of Object.entries(uses))
  t.test(`every entry of every language is used: ${name}`, async (t) => {
    for (const [language, words] of wordLists) {
      const { entries, isUsed } = usesOf(words, language);
      t.same(
        entries.filter((entry) => !isUsed(entry)),
        [],
        language,
      );
    }
  });
