import { type Cue, clockSeconds, decodeReferences } from './cue.js';

const timing =
  /^\s*((?:\d{1,4}:)?\d{1,2}:\d{1,2}[.,]\d{1,9})\s*-->\s*(?:\d{1,4}:)?\d{1,2}:\d{1,2}[.,]\d{1,9}/;

/**
 * Parses WebVTT (https://www.w3.org/TR/webvtt1/) and SubRip, which differ only in the decimal separator and the header.
 * Text is between a timing line and the next empty line. NOTE, STYLE and REGION blocks have no timing.
 */
export function parseTimedLines(source: string): Cue[] {
  const cues: Cue[] = [];
  let cue: Cue | null = null;
  for (const line of source.replace(/\r\n?/g, '\n').split('\n')) {
    const start = timing.exec(line)?.[1];
    if (start !== undefined) {
      cue = { start: clockSeconds(start), text: '' };
      cues.push(cue);
    } else if (line.trim() === '') {
      cue = null;
    } else if (cue !== null) {
      const text = decodeReferences(
        line.replace(/<[^<>]{0,200}>/g, '').replace(/\{\\[^{}]{0,100}\}/g, ''),
      ).trim();
      if (text !== '') cue.text += cue.text === '' ? text : `\n${text}`;
    }
  }
  return cues.filter((entry) => entry.text !== '');
}
