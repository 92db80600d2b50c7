import { decodeHTMLStrict } from 'entities/decode';

/** A caption. Times are in seconds. */
export interface Cue {
  start: number;
  text: string;
}

/** Decodes character references and removes direction marks. */
export const decodeReferences = (text: string): string =>
  decodeHTMLStrict(text).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

/** Parses `hh:mm:ss.mmm`, `mm:ss,mmm` or `hh:mm:ss:frames` to seconds. Returns NaN for anything else. */
export function clockSeconds(clock: string): number {
  const match = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9})|:\d{1,3}(?:\.\d+)?)?$/.exec(
    clock.trim(),
  );
  if (match === null) return Number.NaN;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}
