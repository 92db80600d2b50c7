import type { Passage } from '../knowledge/text/passages.js';
import { widgetLocales } from '../locales/locale-files.js';
import { questionWords } from '../retrieval/words/question-words.js';

/** Maximum characters of a source that are read to guess its language. */
const ENOUGH = 500;
const FALLBACK = 'en';

/** Scripts of one language, for questions without a listed word. */
const scripts: readonly [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Khmer}/u, 'km'],
];

function languagesIn(text: string): readonly string[] {
  const byScript = scripts.find(([script]) => script.test(text))?.[1];
  return byScript === undefined ? questionWords(text).languages : [byScript];
}

/** Returns the widget locale of a language, such as `zh-cn` for `zh`. */
const localeFor = (language: string): string =>
  widgetLocales.find((locale) => locale === language || locale.startsWith(`${language}-`)) ?? FALLBACK;

/**
 * Guesses the language of a message from its words. If they fit several languages or none, the language that the
 * request prefers decides, then that of the best source.
 */
export function visitorLanguage(
  question: string,
  passages: readonly Pick<Passage, 'text'>[],
  requested?: string,
): string {
  const asked = languagesIn(question);
  const [only] = asked;
  if (only !== undefined && asked.length === 1) return localeFor(only);
  if (requested !== undefined && (asked.length === 0 || asked.map(localeFor).includes(requested)))
    return requested;
  const sources = languagesIn(passages[0]?.text.slice(0, ENOUGH) ?? '');
  const shared = sources.find((language) => asked.length === 0 || asked.includes(language));
  return localeFor(shared ?? (asked.includes(FALLBACK) ? FALLBACK : (only ?? FALLBACK)));
}
