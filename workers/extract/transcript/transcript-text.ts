import type { Cue } from './cue.js';

/** A paragraph ends at the next sentence after the first time, and always after the second, in seconds. */
const PARAGRAPH_TARGET = 30;
const PARAGRAPH_MAX = 60;
/** Maximum lines repeated by rolling captions. */
const ROLLING_LINES = 3;
/** A shorter line may repeat the end of the previous one by chance. */
const MIN_TAIL_CHARS = 12;

interface Line {
  start: number;
  text: string;
}

/** Joins cues to text without repeated lines, with a time mark like [00:01:23] at each paragraph. */
export function transcriptText(cues: readonly Cue[]): string {
  const ordered = [...cues].sort((a, b) => a.start - b.start);
  const paragraphs: string[] = [];
  let text = '';
  let started = 0;
  for (const line of mergeRolling(ordered)) {
    const age = line.start - started;
    if (
      text !== '' &&
      (age >= PARAGRAPH_MAX || (age >= PARAGRAPH_TARGET && /[.!?…。！？]["'”’»）)]*$/.test(text)))
    ) {
      paragraphs.push(`${timeMark(started)} ${text}`);
      text = '';
    }
    if (text === '') started = line.start;
    text = text === '' ? line.text : `${text}${needsSpace(text, line.text) ? ' ' : ''}${line.text}`;
  }
  if (text !== '') paragraphs.push(`${timeMark(started)} ${text}`);
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
      // a caption that grows word by word
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
