/** A range of a text, in UTF-16 units, end exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

const closers = '"\'”’»)]}）」』】〉》›';
/** Stops that end a sentence if white space follows: Latin, Arabic, Urdu, Devanagari, Armenian. */
const spacedStops = '.!?…؟۔।॥։';
/** Stops that always end a sentence: Han and Kana, Ethiopic, Khmer, Burmese. */
const bareStops = '。！？｡።፧។៕။';
/** Fast path: no stop has a code unit from AFTER_ASCII_STOPS up to BEFORE_OTHER_STOPS. */
const AFTER_ASCII_STOPS = 0x40;
const BEFORE_OTHER_STOPS = 0x589;
/** ASCII characters that `endOf` examines: stops, spaces and line ends. */
const isLookedAt = Array.from({ length: AFTER_ASCII_STOPS }, (_, unit) =>
  `${spacedStops} \n`.includes(String.fromCharCode(unit)),
);
/** Minimum length of a phrase in UTF-16 units. A shorter phrase is joined with the next one. */
const MIN_PHRASE = 80;

/** Returns the end of the sentence at `start`: after its stop and closing quotes, or at the end of the line. */
export const endOfSentence = (text: string, start: number, end: number): number =>
  endOf(text, start, end, false);

/**
 * Like `endOfSentence`, but a phrase in Thai or Lao may end at a space: these scripts have no full stops and separate
 * sentences, clauses and names by spaces. For long texts.
 */
export const endOfPhrase = (text: string, start: number, end: number): number =>
  endOf(text, start, end, true);

function endOf(text: string, start: number, end: number, atPhrases: boolean): number {
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit < AFTER_ASCII_STOPS ? !isLookedAt[unit] : unit < BEFORE_OTHER_STOPS) continue;
    if (unit === 10) return i + 1;
    if (unit === 32) {
      if (atPhrases && i - start >= MIN_PHRASE && isThai(text, i - 1) && isThai(text, i + 1)) return i + 1;
      continue;
    }
    const char = text.charAt(i);
    const isBare = bareStops.includes(char);
    if (!isBare && !spacedStops.includes(char)) continue;
    let after = i + 1;
    while (
      after < end &&
      (closers.includes(text.charAt(after)) || (isBare && bareStops.includes(text.charAt(after))))
    )
      after++;
    if (after >= end) return end;
    if (isBare) return after;
    if (!isBlank(text.charCodeAt(after))) continue;
    if ((char === '.' || char === '۔') && isAbbreviation(text, start, i, after)) continue;
    return after;
  }
  return end;
}

function isThai(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xe01 && unit <= 0xeff;
}

const ASCII_END = 0x80;
const isSmall = (unit: number): boolean => unit >= 97 && unit <= 122;

/** Returns whether a full stop does not end the sentence, as in "e.g. this", "J. Smith" or "3. May". */
function isAbbreviation(text: string, start: number, stop: number, after: number): boolean {
  let next = after;
  while (next < text.length && next < after + 4 && isBlank(text.charCodeAt(next))) next++;
  const unit = text.charCodeAt(next);
  if (unit < ASCII_END ? isSmall(unit) : /\p{Ll}/u.test(text.charAt(next))) return true;
  let word = stop;
  while (word > start && stop - word < 4 && !isBlank(text.charCodeAt(word - 1))) word--;
  // Fast path: most sentences end with a word of four or more letters.
  if (stop - word === 4 && isSmall(text.charCodeAt(stop - 1))) return false;
  return /^(?:\p{Lu}|\p{Lo}(?:\.\p{Lo})*|\p{Nd}{1,2}|Dr|Mr|Mrs|Ms|St|Nr|No|vs)$/u.test(
    text.slice(word, stop),
  );
}

/** White space as defined by String.prototype.trim. */
export function isBlank(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit >= 0xa0 && /^\s$/.test(String.fromCharCode(unit));
}

/** Returns the range without surrounding white space. */
export function trimmed(text: string, start: number, end: number): [number, number] {
  let first = start;
  let last = end;
  while (first < last && isBlank(text.charCodeAt(first))) first++;
  while (last > first && isBlank(text.charCodeAt(last - 1))) last--;
  return [first, last];
}

/** Returns the sentences of a text, without surrounding white space. A line end also ends a sentence. */
export function sentencesOf(text: string): TextRange[] {
  const sentences: TextRange[] = [];
  for (let at = 0; at < text.length; ) {
    const stop = endOfSentence(text, at, text.length);
    const [start, end] = trimmed(text, at, stop);
    if (end > start) sentences.push({ start, end });
    at = stop;
  }
  return sentences;
}
