import { constants, inflateRawSync } from 'node:zlib';
import { createByteMeter, tooComplex } from '../../archive/inflate.js';
import type { ExtractLimits } from '../../limits.js';
import { kindsWithText } from './annotation-kinds.js';
import { decodeAscii85, decodeHex } from './ascii-filters.js';
import { refuseHugeRanges } from './number-guard.js';
import { lzwLength, runLengthLength } from './packed-length.js';

/** A PDF of 50 MB has fewer streams. */
const MAX_STREAMS = 300_000;
/** Last letter of `endstream`, after which no data begins. */
const LETTER_D = 0x64;
/** Size of the zlib header (RFC 1950, 2.2). */
const ZLIB_HEADER_BYTES = 2;
/** Maximum number of chained filters. */
const MAX_FILTERS = 4;
/** Maximum total size of ASCII-encoded streams, as a multiple of the file's size. */
const ASCII_READS = 4;
/** Kinds whose names other dictionaries use as well. */
const commonNames = new Set(['Text', 'Underline', 'Line']);
/** Names of annotations that contain their own text. */
const fieldNames = kindsWithText.flatMap((kind) =>
  commonNames.has(kind) ? [`/Subtype/${kind}`, `/Subtype /${kind}`] : [`/${kind}`],
);

export interface StreamNotes {
  /** False if the file certainly has no form fields or notes. */
  mayHaveFields: boolean;
  hasPictures: boolean;
}

/** Gets each part of the file while its streams are unpacked. */
export interface StreamVisitor {
  /** The bytes since the last stream, as Latin text: objects, and at the end the dictionary of the next stream. */
  objects: (text: string) => void;
  /** An unpacked stream that is not a picture, and its dictionary. */
  stream: (header: string, data: Buffer) => void;
}

interface StreamView {
  data: Buffer;
  /** End of the data, if the data does not contain the word `endstream`. */
  end: number;
  /** Null if the dictionary does not name filters within the searched bytes. */
  filters: readonly string[] | null;
}

/**
 * Unpacks every stream once with limits, because pdf.js has no limits. Skips pictures, which are not unpacked when
 * reading text. Throws FILE_TOO_COMPLEX. Encrypted streams, and streams falsely declared as pictures, cannot be
 * checked; the thread pools limit their memory.
 */
export function guardStreams(bytes: Uint8Array, limits: ExtractLimits, visitor?: StreamVisitor): StreamNotes {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const budget = Math.min(
    limits.pdfBytes,
    Math.max(limits.ratioFromBytes, bytes.length * limits.inflateRatio),
  );
  const spend = createByteMeter(budget);
  const unpack = createUnpacker(Math.min(budget, limits.pdfStreamBytes), spend, ASCII_READS * file.length);
  let mayHaveFields = namesFields(file) || file.includes('/Encrypt');
  let hasPictures = false;
  let streams = 0;
  let previous = 0;
  /** Next position, or -1. Each part of the file is searched only once. */
  let end = 0;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file[at - 1] === LETTER_D) continue;
    if (++streams > MAX_STREAMS) throw tooComplex();
    const objects = objectsBetween(file, previous, at);
    refuseHugeRanges(objects);
    visitor?.objects(objects);
    const dictionary = plainNames(objects.slice(Math.max(0, objects.lastIndexOf(' obj'))));
    previous = at;
    if (/\/Subtype\s*\/Image\b/.test(dictionary)) {
      hasPictures = true;
      continue;
    }
    const from = dataStart(file, at + 6);
    if (end < from && end >= 0) end = file.indexOf('endstream', from);
    const view = {
      data: file.subarray(from),
      end: end < 0 ? -1 : end - from,
      filters: filtersOf(dictionary),
    };
    const unpacked = unpack(view);
    const data =
      unpacked ?? (view.filters === null && view.end > 0 ? file.subarray(from, from + view.end) : null);
    if (data !== null) visitor?.stream(objects, data);
    if (unpacked === null || !/\/ObjStm\b/.test(dictionary)) continue;
    refuseHugeRanges(unpacked.toString('latin1'));
    mayHaveFields ||= namesFields(unpacked);
  }
  const last = objectsBetween(file, previous, file.length);
  refuseHugeRanges(last);
  visitor?.objects(last);
  return { mayHaveFields, hasPictures };
}

const namesFields = (data: Buffer): boolean => fieldNames.some((name) => data.includes(name));

/** Returns the bytes between the end of the last stream and the next. */
function objectsBetween(file: Buffer, from: number, to: number): string {
  const text = file.toString('latin1', from, to);
  return text.slice(Math.max(0, text.lastIndexOf('endstream')));
}

/** Decodes characters in names that are encoded as `#46` (ISO 32000-1, 7.3.5). */
const plainNames = (dictionary: string): string =>
  dictionary.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function dataStart(file: Buffer, at: number): number {
  if (file[at] === 0x0d && file[at + 1] === 0x0a) return at + 2;
  return file[at] === 0x0d || file[at] === 0x0a ? at + 1 : at;
}

/** Returns null if the filters are in another object or missing. */
function filtersOf(dictionary: string): string[] | null {
  const value = /\/(?:Filter|F)\s*(\[[^\]]*\]|\/\w+)/.exec(dictionary)?.[1] ?? '';
  const names = value.match(/\w+/g)?.filter((name) => name !== 'Crypt') ?? [];
  return names.length === 0 || /\d\s+R\b/.test(value) ? null : names;
}

/** Applies the filters of a stream in reverse. Returns the data, or null if no filter can inflate it. */
function createUnpacker(
  maxBytes: number,
  spend: (bytes: number) => void,
  asciiBytes: number,
): (stream: StreamView) => Buffer | null {
  const spendAscii = createByteMeter(asciiBytes);

  function inflate(data: Buffer): Buffer | null {
    if (((data[0] ?? 0) & 0x0f) !== 8 || data.length <= ZLIB_HEADER_BYTES) return null;
    try {
      // pdf.js does not verify the checksum either.
      const unpacked = inflateRawSync(data.subarray(ZLIB_HEADER_BYTES), {
        maxOutputLength: maxBytes,
        finishFlush: constants.Z_SYNC_FLUSH,
      });
      spend(unpacked.length);
      return unpacked;
    } catch (error) {
      if (error instanceof RangeError) throw tooComplex();
      return null;
    }
  }

  function ascii(decode: typeof decodeHex, data: Buffer): Buffer {
    const { bytes, read } = decode(data);
    spendAscii(read);
    return bytes;
  }

  /**
   * `last` is true if no filter follows. Rejects data that was packed twice with old filters, because no real document
   * contains it.
   */
  function count(length: number, last: boolean): null {
    if (length > maxBytes || !last) throw tooComplex();
    spend(length);
    return null;
  }

  function undo(filter: string, data: Buffer, last: boolean): Buffer | null {
    switch (filter) {
      case 'FlateDecode':
      case 'Fl':
        return inflate(data);
      case 'LZWDecode':
      case 'LZW':
        return count(lzwLength(data, maxBytes), last);
      case 'RunLengthDecode':
      case 'RL':
        return count(runLengthLength(data, maxBytes), last);
      case 'ASCIIHexDecode':
      case 'AHx':
        return ascii(decodeHex, data);
      case 'ASCII85Decode':
      case 'A85':
        return ascii(decodeAscii85, data);
      default:
        return null;
    }
  }

  /** If there is no filter entry, guesses the filter from the data. */
  function guess({ data, end }: StreamView): Buffer | null {
    let unpacked = inflate(data);
    let coded = data.subarray(0, end < 0 ? data.length : end);
    for (let step = 0; step < MAX_FILTERS && unpacked === null; step++) {
      const head = coded.toString('latin1', 0, 64);
      if (/^[\da-fA-F\s]+>?\s*$/.test(head)) coded = ascii(decodeHex, coded);
      else if (/^[!-uz\s]+$/.test(head) && coded.includes('~>')) coded = ascii(decodeAscii85, coded);
      else return null;
      unpacked = inflate(coded);
    }
    return unpacked === null ? null : (inflate(unpacked) ?? unpacked);
  }

  return (stream) => {
    const { filters } = stream;
    if (filters === null) return guess(stream);
    if (filters.length > MAX_FILTERS) throw tooComplex();
    let data: Buffer | null = stream.data;
    for (const [i, filter] of filters.entries()) {
      if (data === null) break;
      data = undo(filter, data, i === filters.length - 1);
    }
    return data;
  };
}
