import type { TextItem } from '../lines/text-lines.js';
import { type Matrix, multiplied } from '../open/matrix.js';

/** A word of a recognised line. Positions are pixels of the image, confidence is 0 to 100. */
export interface RecognisedWord {
  text: string;
  left: number;
  right: number;
  confidence: number;
}

export interface RecognisedLine {
  words: readonly RecognisedWord[];
  /** Pixels from the top of the image to the line on which the letters stand. */
  baseline: number;
  /** Height of the letters with ascenders and descenders, in pixels. */
  height: number;
}

/** Below this confidence, letters are guessed, and a wrong number is worse than none. */
export const MIN_CONFIDENCE = 60;
/** A wider gap between words may lie between columns, in letter heights. */
const COLUMN_GAP = 1;
/** Measured heights of letters in one size differ by this share. */
const SAME_SIZE = 0.25;

export const isSure = (line: RecognisedLine): boolean => confidenceOf([line]) >= MIN_CONFIDENCE;

/** Returns the mean confidence of the letters. */
export function confidenceOf(lines: readonly RecognisedLine[]): number {
  let [sum, letters] = [0, 0];
  for (const { words } of lines) {
    for (const { text, confidence } of words) {
      sum += confidence * text.length;
      letters += text.length;
    }
  }
  return letters === 0 ? 0 : sum / letters;
}

/** Returns the lines as pieces of text on the page. `toPage` maps pixels of the recognised image to the page. */
export function itemsOf(lines: readonly RecognisedLine[], toPage: Matrix): TextItem[] {
  const usual = medianOf(lines.map(({ height }) => height));
  return lines.flatMap((line) => {
    const isUsual = Math.abs(line.height - usual) <= SAME_SIZE * usual;
    return itemsOfLine(line, isUsual ? usual : line.height, toPage);
  });
}

function itemsOfLine({ words, baseline, height }: RecognisedLine, size: number, toPage: Matrix): TextItem[] {
  const parts: RecognisedWord[][] = [];
  for (const word of words) {
    const part = parts.at(-1);
    const last = part?.at(-1);
    if (part && last && word.left - last.right <= COLUMN_GAP * height) part.push(word);
    else parts.push([word]);
  }
  return parts.map((part, i) => {
    const left = part[0]?.left ?? 0;
    const width = (part.at(-1)?.right ?? left) - left;
    const [a, b, c, d, x, y] = multiplied(toPage, [size, 0, 0, -size, left, baseline]);
    return {
      str: part.map(({ text }) => text).join(' '),
      transform: [a, b, c, d, x, y],
      width: (width * Math.hypot(a, b)) / size,
      height: Math.hypot(c, d),
      hasEOL: i === parts.length - 1,
    };
  });
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}
