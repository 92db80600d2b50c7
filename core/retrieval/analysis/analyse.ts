import { arabicStem, isArabic } from './arabic-stem.js';
import { foldText } from './fold-text.js';
import { classOf, letterClass } from './letter-classes.js';

/**
 * Version of the rules below, and of those by which texts are divided into chunks. It is stored with
 * everything that was indexed by them. Raise it when they change: a sweep then indexes everything again.
 */
export const ANALYSIS = 2;

/** Words of letters are cut to so many code points: as good as stemming, and no language need be known. */
export const STEM = 6;
/** Words with a digit (codes, versions) stay whole, up to here. */
export const LONGEST = 64;

const { none, letter, digit, mark, han, hangul, thai } = letterClass;

/** Takes a term: a stretch of a text. */
type Take = (text: string, start: number, end: number) => void;

/**
 * The words of a text as the index knows them, in order, repeated ones included. Depends on nothing but the
 * text: on no language, and no installed data beyond Unicode's own. So it is the same in every process.
 */
export function analyse(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (folded, start, end) => terms.push(folded.slice(start, end)));
  return terms;
}

/** Calls `take` for each word of a text, as `analyse` gives them, without making strings of them. */
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

/** Takes the run of letters, digits and marks that starts at `start`; returns where it ends. */
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

/** Takes the terms of the run that starts at `start`; returns where it ends. */
type TakeRun = (text: string, start: number, take: Take) => number;

/** Where the code points of the run of one kind start, and where it ends. */
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

/** Overlapping sequences of `size` code points; a shorter run is one term. */
function takeSequences(text: string, starts: readonly number[], size: number, take: Take): void {
  const last = Math.max(0, starts.length - 1 - size);
  const end = starts.at(-1) ?? text.length;
  for (let n = 0; n <= last; n++) take(text, starts[n] as number, starts[n + size] ?? end);
}

const sequencesOf =
  (...sizes: number[]): TakeRun =>
  (text, start, take) => {
    const starts = runOf(text, start);
    // A run that is shorter than the first size is taken once, whole.
    for (const [n, size] of sizes.entries())
      if (n === 0 || starts.length > size) takeSequences(text, starts, size, take);
    return starts.at(-1) ?? text.length;
  };

/** Scripts whose words are not apart, or carry particles. */
const unspaced: Readonly<Record<number, TakeRun | undefined>> = {
  [han]: sequencesOf(1, 2),
  [hangul]: sequencesOf(2),
  [thai]: sequencesOf(3),
};
