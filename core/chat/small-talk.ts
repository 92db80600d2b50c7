import { localeOf, widgetLocales } from '../locales/locale-files.js';
import { type SmallTalk, smallTalkKinds } from '../ports/model.port.js';
import { foldText } from '../retrieval/analysis/fold-text.js';

type Kind = SmallTalk | 'person' | 'filler';

/** Phrases of a locale, by their words separated by spaces. */
interface PhraseTable {
  phrases: ReadonlyMap<string, Kind>;
  /** Words of the longest phrase. */
  longest: number;
}

/** In UTF-16 units. A longer message is never small talk only. */
const LONGEST_MESSAGE = 100;
const FALLBACK = 'en';

/** Each character of these scripts counts as a word, because they separate no words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Returns the words without case, accents, punctuation, emoji and repeated letters: "Helloooo!" gives "hello". */
const wordsOf = (text: string): string[] =>
  foldText(text)
    .replace(unspaced, ' $& ')
    .replace(/([^\p{N}])\1{2,}/gu, '$1')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');

let tables: ReadonlyMap<string, PhraseTable> | undefined;

function createTables(): ReadonlyMap<string, PhraseTable> {
  const entries = widgetLocales.flatMap((locale): [string, PhraseTable][] => {
    const { smallTalk, talkToPerson } = localeOf(locale);
    if (smallTalk === undefined) return [];
    const phrases = new Map<string, Kind>();
    for (const kind of [...smallTalkKinds, 'filler', 'person'] as const)
      for (const phrase of smallTalk[kind]?.split(',') ?? []) phrases.set(wordsOf(phrase).join(' '), kind);
    // The button of the widget sends its label.
    if (talkToPerson !== undefined) phrases.set(wordsOf(talkToPerson).join(' '), 'person');
    const longest = Math.max(...[...phrases.keys()].map((phrase) => phrase.split(' ').length));
    return [[locale, { phrases, longest }]];
  });
  return new Map(entries);
}

/**
 * Returns the kind of small talk if the whole message is small talk, in any language. The agent's language and English
 * take precedence.
 */
export function smallTalkOf(message: string, language: string): SmallTalk | null {
  for (const [, kinds] of readings(message, language)) {
    // Of "Hello, thanks, bye", only the last part needs a response.
    const kind = smallTalkKinds.findLast((one) => kinds.has(one));
    if (kind !== undefined) return kinds.has('person') ? null : kind;
  }
  return null;
}

/** Returns the locale of a message that only asks for a person, perhaps with small talk; null for other messages. */
export function personAskedIn(message: string, language: string): string | null {
  for (const [locale, kinds] of readings(message, language)) if (kinds.has('person')) return locale;
  return null;
}

/** Yields the locales in which the whole message consists of known phrases, with their kinds. */
function* readings(message: string, language: string): Generator<[locale: string, kinds: Set<Kind>]> {
  if (message.length > LONGEST_MESSAGE) return;
  const words = wordsOf(message);
  tables ??= createTables();
  for (const locale of new Set([language, FALLBACK, ...tables.keys()])) {
    const table = tables.get(locale);
    const kinds = table && kindsOf(words, table);
    if (kinds) yield [locale, kinds];
  }
}

/** Splits the words into phrases, and returns their kinds; null if a word is not part of a phrase. */
function kindsOf(words: readonly string[], { phrases, longest }: PhraseTable): Set<Kind> | null {
  const kindsUpTo: (Set<Kind> | null)[] = [new Set()];
  for (let end = 1; end <= words.length; end++) {
    let kinds: Set<Kind> | null = null;
    // Try the longest phrase first.
    for (let start = Math.max(0, end - longest); start < end && kinds === null; start++) {
      const before = kindsUpTo[start];
      const kind = before && phrases.get(words.slice(start, end).join(' '));
      if (before && kind) kinds = new Set([...before, kind]);
    }
    kindsUpTo.push(kinds);
  }
  return kindsUpTo[words.length] ?? null;
}
