import { type Cue, clockSeconds, decodeReferences } from './cue.js';
import { type DomElement, elementsOf, textWithin } from './elements.js';

const DEFAULT_TICK_RATE = 1;
const DEFAULT_FRAME_RATE = 30;

/**
 * Parses timed-text XML: TTML (https://www.w3.org/TR/ttml2/: `p begin`), `transcript` with `text start` in
 * seconds and `timedtext` with `p t` in milliseconds.
 */
export function parseTimedXml(source: string): Cue[] {
  const cues: Cue[] = [];
  let tickRate = DEFAULT_TICK_RATE;
  let frameRate = DEFAULT_FRAME_RATE;
  for (const element of elementsOf(source, 'xml')) {
    const name = element.name.replace(/^.*:/, '');
    if (name === 'tt') {
      tickRate = Number(element.attribs['ttp:tickRate']) || tickRate;
      frameRate = Number(element.attribs['ttp:frameRate']) || frameRate;
    }
    if (name !== 'p' && name !== 'text') continue;
    const start = startOf(element, tickRate, frameRate);
    const text = decodeReferences(textWithin(element))
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter((line) => line !== '')
      .join('\n');
    if (text !== '' && Number.isFinite(start)) cues.push({ start, text });
  }
  return cues;
}

function startOf(element: DomElement, tickRate: number, frameRate: number): number {
  const { begin, start, t } = element.attribs;
  if (t !== undefined) return Number(t) / 1000;
  if (start !== undefined) return Number(start);
  if (begin === undefined) return Number.NaN;
  const offset = /^([\d.]+)(h|m|s|ms|f|t)$/.exec(begin.trim());
  if (offset === null) return clockSeconds(begin);
  const value = Number(offset[1]);
  const factors = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frameRate, t: 1 / tickRate };
  return value * (factors[offset[2] as keyof typeof factors] ?? Number.NaN);
}
