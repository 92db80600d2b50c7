import type { Cue } from './cue.js';

/**
 * A paragraph ends at the end of a sentence after the first of these times, and in any case after the second. Seconds.
 */
const PARAGRAPH_TARGET = 30;
const PARAGRAPH_MAX = 60;
/** Maximum number of lines that rolling captions repeat. */
const ROLLING_LINES = 3;
/** A shorter line may repeat the end of the previous one by chance. */
const MIN_TAIL_CHARS = 12;

/**
 * Number of characters at the end of a paragraph that are compared with the next line. Comparing the whole paragraph
 * would take quadratic time.
 */
const TAIL_CHARS = 100;
const sentenceEnd = /[.!?…。！？]["'”’»）)]*$/;

interface Line {
  start: number;
  text: string;
}

/** Joins cues into a text without repeated lines, with a time mark such as [00:01:23] at each paragraph. */
export function transcriptText(cues: readonly Cue[]): string {
  const ordered = [...cues].sort((a, b) => a.start - b.start);
  const paragraphs: string[] = [];
  let pieces: string[] = [];
  let tail = '';
  let started = 0;
  const endParagraph = (): void => {
    paragraphs.push(`${timeMark(started)} ${pieces.join('')}`);
    pieces = [];
  };
  for (const { start, text } of mergeRolling(ordered)) {
    const age = start - started;
    const isLong = age >= PARAGRAPH_MAX || (age >= PARAGRAPH_TARGET && sentenceEnd.test(tail));
    if (pieces.length > 0 && isLong) endParagraph();
    if (pieces.length === 0) started = start;
    else if (needsSpace(tail, text)) pieces.push(' ');
    pieces.push(text);
    tail = pieces.slice(-3).join('').slice(-TAIL_CHARS);
  }
  if (pieces.length > 0) endParagraph();
  return paragraphs.join('\n\n');
}

function mergeRolling(cues: readonly Cue[]): Line[] {
  const lines: Line[] = [];
  for (const cue of cues) {
    const recent = lines.slice(-ROLLING_LINES).map((line) => line.text);
    for (const raw of cue.text.split('\n')) {
      const text = raw.replace(/\s+/g, ' ').trim();
      if (text === '' || recent.includes(text)) continue;
      const last = lines.at(-1);
      // The caption grows word by word.
      if (last !== undefined && text.startsWith(last.text) && recent.includes(last.text)) last.text = text;
      else if (last === undefined || !(text.length >= MIN_TAIL_CHARS && last.text.endsWith(` ${text}`)))
        lines.push({ start: cue.start, text });
    }
  }
  return lines;
}

const wide = /[\u2e80-\ud7ff\uff00-\uffef]/;
const needsSpace = (before: string, after: string): boolean =>
  !(wide.test(before.slice(-1)) && wide.test(after.charAt(0)));

function timeMark(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `[${parts.map((part) => String(part).padStart(2, '0')).join(':')}]`;
}
