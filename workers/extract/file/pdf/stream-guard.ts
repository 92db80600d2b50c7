import { constants, inflateSync } from 'node:zlib';
import { createByteMeter, tooComplex } from '../archive/inflate.js';
import type { ExtractLimits } from '../limits.js';
import { lzwLength, runLengthLength } from './packed-length.js';

/** How far before its data the dictionary of a stream is looked for. */
const DICTIONARY_BYTES = 4096;
/** A PDF of 50 MB has far fewer streams. */
const MOST_STREAMS = 300_000;
/** Ends `endstream`, which begins no data. */
const LETTER_D = 0x64;
/** Filters may be chained; nobody needs more than this. */
const DEEPEST_CHAIN = 4;

/**
 * Unpacks every stream of the file once, counted, before pdf.js does it without a limit. Pictures are left out: reading
 * text does not unpack them. Throws FILE_TOO_COMPLEX. Encrypted streams cannot be judged and pass.
 */
export function guardStreams(bytes: Uint8Array, limits: ExtractLimits): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const budget = Math.min(
    limits.pdfBytes,
    Math.max(limits.ratioFromBytes, bytes.length * limits.inflateRatio),
  );
  const spend = createByteMeter(budget);
  let streams = 0;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file[at - 1] === LETTER_D) continue;
    if (++streams > MOST_STREAMS) throw tooComplex();
    const dictionary = dictionaryBefore(file, at);
    if (/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const filters = filtersOf(dictionary);
    if (filters.length > DEEPEST_CHAIN) throw tooComplex();
    let data: Uint8Array = file.subarray(dataStart(file, at + 6));
    for (const filter of filters) {
      const unpacked = unpack(filter, data, Math.min(budget, limits.pdfStreamBytes));
      if (unpacked === null) break;
      spend(unpacked.length);
      data = unpacked;
    }
  }
}

function dictionaryBefore(file: Buffer, at: number): string {
  const text = file.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at);
  return text.slice(Math.max(0, text.lastIndexOf(' obj')));
}

function dataStart(file: Buffer, at: number): number {
  if (file[at] === 0x0d && file[at + 1] === 0x0a) return at + 2;
  return file[at] === 0x0d || file[at] === 0x0a ? at + 1 : at;
}

/** Without a word about filters in reach, the commonest one is tried. Names may hide characters as `#46` (ISO 32000-1, 7.3.5). */
function filtersOf(dictionary: string): string[] {
  const plain = dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const value = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/\w+)/.exec(plain)?.[1] ?? '';
  return value.match(/\w+/g) ?? ['FlateDecode'];
}

/** null when the filter does not grow its data, or the data is not of its kind. */
function unpack(filter: string, data: Uint8Array, maxBytes: number): Uint8Array | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return inflate(data, maxBytes);
    case 'LZWDecode':
    case 'LZW':
      if (lzwLength(data, maxBytes) > maxBytes) throw tooComplex();
      return null;
    case 'RunLengthDecode':
    case 'RL':
      if (runLengthLength(data, maxBytes) > maxBytes) throw tooComplex();
      return null;
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(data, maxBytes);
    default:
      return null;
  }
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return inflateSync(data, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (error instanceof RangeError) throw tooComplex();
    return null;
  }
}

function decodeHex(data: Uint8Array, maxBytes: number): Uint8Array {
  const end = data.indexOf(0x3e);
  const text = Buffer.from(data.subarray(0, Math.min(end < 0 ? data.length : end, 2 * maxBytes))).toString(
    'latin1',
  );
  return Buffer.from(text.replace(/\s+/g, ''), 'hex');
}
