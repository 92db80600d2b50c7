import { type Cue, clockSeconds, decodeReferences } from './cue.js';
import { elementsOf, type MarkupElement } from './elements.js';

const DEFAULT_TICK_RATE = 1;
const DEFAULT_FRAME_RATE = 30;

/**
 * Parses timed-text XML: TTML (https://www.w3.org/TR/ttml2/) with `p begin`, `transcript` with `text start` in seconds,
 * and `timedtext` with `p t` in milliseconds.
 */
export function parseTimedXml(source: string): Cue[] {
  const cues: Cue[] = [];
  const elements = elementsOf(source, 'xml', ['tt'], ['p', 'text']);
  const root = elements.find(({ name }) => name === 'tt')?.attributes ?? {};
  const tickRate = Number(root['ttp:tickRate']) || DEFAULT_TICK_RATE;
  const frameRate = Number(root['ttp:frameRate']) || DEFAULT_FRAME_RATE;
  for (const element of elements) {
    if (element.name === 'tt') continue;
    const start = startOf(element, tickRate, frameRate);
    const text = decodeReferences(element.text)
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n');
    if (text !== '' && Number.isFinite(start)) cues.push({ start, text });
  }
  return cues;
}

function startOf({ attributes }: MarkupElement, tickRate: number, frameRate: number): number {
  const { begin, start, t } = attributes;
  if (t !== undefined) return Number(t) / 1000;
  if (start !== undefined) return Number(start);
  if (begin === undefined) return Number.NaN;
  const offset = /^([\d.]+)(h|m|s|ms|f|t)$/.exec(begin.trim());
  if (offset === null) return clockSeconds(begin);
  const value = Number(offset[1]);
  const factors = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frameRate, t: 1 / tickRate };
  return value * (factors[offset[2] as keyof typeof factors] ?? Number.NaN);
}
