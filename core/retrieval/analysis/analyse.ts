import { arabicStem, isArabic } from './arabic-stem.js';
import { foldText } from './fold-text.js';
import { classOf, letterClass } from './letter-classes.js';

/**
 * Version of the rules for terms and chunks, stored with each index. Raise it when a rule changes: a sweep then
 * reindexes every document.
 */
export const ANALYSIS = 3;

/**
 * Length of a stem in code points: longer words are truncated. Ranks as well as stemming, and works without knowing
 * the language.
 */
export const STEM = 6;
/** Maximum code points of a term with a digit, such as a code or a version number. */
export const LONGEST = 64;

const { none, letter, digit, mark, han, hangul, thai } = letterClass;

type Take = (text: string, start: number, end: number) => void;

/**
 * Returns the terms of a text in order, including repetitions. The result depends only on the text and Unicode
 * data, so it is the same in every process.
 */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (folded, start, end) => terms.push(folded.slice(start, end)));
  return terms;
}

/** Calls `take` for each term of the text without creating strings. */
export function eachTerm(text: string, take: Take): void {
  const folded = foldText(text);
  for (let at = 0; at < folded.length; ) {
    const kind = classAt(folded, at);
    if (kind === letter || kind === digit) at = takeWord(folded, at, take);
    else {
      const takeRun = unspaced[kind];
      at = takeRun === undefined ? at + unitsAt(folded, at) : takeRun(folded, at, take);
    }
  }
}

const classAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return classOf(unit >= 0xd800 && unit < 0xe000 ? (text.codePointAt(at) ?? 0) : unit);
};

const unitsAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length ? 2 : 1;
};

/** Passes the term of the word at `start` to `take`; returns the end of the word. */
function takeWord(text: string, start: number, take: Take): number {
  let at = start;
  let size = 0;
  let hasDigit = false;
  let stemEnd = start;
  let longestEnd = start;
  for (; at < text.length; size++) {
    const kind = classAt(text, at);
    if (kind === digit) hasDigit = true;
    else if (kind !== letter && kind !== mark) break;
    at += unitsAt(text, at);
    if (size < STEM) stemEnd = at;
    if (size < LONGEST) longestEnd = at;
  }
  if (hasDigit) take(text, start, longestEnd);
  else if (isArabic(text.charCodeAt(start))) {
    const stem = arabicStem(text.slice(start, at));
    take(stem, 0, Math.min(STEM, stem.length));
  } else take(text, start, stemEnd);
  return at;
}

/** Passes the terms of the run at `start` to `take`; returns the end of the run. */
type TakeRun = (text: string, start: number, take: Take) => number;

/** Returns the start of each code point in a run of one class, then the run's end. */
function runOf(text: string, start: number): number[] {
  const kind = classAt(text, start);
  const starts: number[] = [];
  let at = start;
  for (let next = kind; next === kind || next === mark; next = at < text.length ? classAt(text, at) : none) {
    starts.push(at);
    at += unitsAt(text, at);
  }
  starts.push(at);
  return starts;
}

/** Passes overlapping n-grams of `size` code points to `take`. A shorter run is one term. */
function takeSequences(text: string, starts: readonly number[], size: number, take: Take): void {
  const last = Math.max(0, starts.length - 1 - size);
  const end = starts.at(-1) ?? text.length;
  for (let n = 0; n <= last; n++) take(text, starts[n] as number, starts[n + size] ?? end);
}

const sequencesOf =
  (...sizes: number[]): TakeRun =>
  (text, start, take) => {
    const starts = runOf(text, start);
    // A short run is one term for every size, so only the first size takes it.
    for (const [n, size] of sizes.entries())
      if (n === 0 || starts.length > size) takeSequences(text, starts, size, take);
    return starts.at(-1) ?? text.length;
  };

/** Scripts that are written without spaces, or with particles attached to words. */
const unspaced: Readonly<Record<number, TakeRun | undefined>> = {
  [han]: sequencesOf(1, 2),
  [hangul]: sequencesOf(2),
  [thai]: sequencesOf(3),
};
