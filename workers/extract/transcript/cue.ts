import { decodeHTMLStrict } from 'entities/decode';

/** A line of captions with its time in seconds. */
export interface Cue {
  start: number;
  text: string;
}

/** Captions with their character references read, without the marks that only set a direction. */
export const decodeReferences = (text: string): string =>
  decodeHTMLStrict(text).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Seconds of `hh:mm:ss.mmm`, `mm:ss,mmm` or `hh:mm:ss:frames`; NaN when it is none of them. */
export function clockSeconds(clock: string): number {
  const match = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9})|:\d{1,3}(?:\.\d+)?)?$/.exec(
    clock.trim(),
  );
  if (match === null) return Number.NaN;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}
