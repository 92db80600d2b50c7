import { questionWords } from './question-words.js';

/**
 * Returns whether a question may be in one of these languages (ISO 639). Without a common word of any language, its
 * letters decide.
 */
export function isSpokenIn(question: string, languages: readonly string[]): boolean {
  const spoken = questionWords(question).languages;
  if (spoken.length > 0) return spoken.some((language) => languages.includes(language));
  const letters = question.replace(/\P{L}+/gu, '');
  return languages.some((language) => {
    const { script } = new Intl.Locale(language).maximize();
    const own = script === undefined ? '' : letters.replace(scriptLetters(script), '');
    return 2 * own.length <= letters.length;
  });
}

/** Scripts of languages that are written in several. */
const joined: Readonly<Record<string, string>> = {
  Jpan: '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}',
  Kore: '\\p{Script=Hangul}\\p{Script=Han}',
  Hans: '\\p{Script=Han}',
  Hant: '\\p{Script=Han}',
};

const scriptLetters = (script: string): RegExp =>
  new RegExp(`[${joined[script] ?? `\\p{Script=${script}}`}]+`, 'gu');
