import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { ExtractError } from '../../extract-error.js';
import type { ExtractLimits } from '../limits.js';

/** Entries with more packed bytes are inflated as a stream. */
const WHOLE_PACKED_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;

export const tooComplex = () => new ExtractError('FILE_TOO_COMPLEX');
export const damaged = (sentence?: string) => new ExtractError('FILE_UNPARSABLE', sentence);

/** Returns the maximum inflated size of an entry with this packed size, in bytes. */
const inflateBudget = (packedBytes: number, limits: ExtractLimits): number =>
  Math.min(limits.entryBytes, Math.max(limits.ratioFromBytes, packedBytes * limits.inflateRatio));

/** Returns a function that adds up inflated bytes and throws if they exceed the total. */
export function createByteMeter(totalBytes: number): (bytes: number) => void {
  let left = totalBytes;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw tooComplex();
  };
}

/** Inflates raw deflate data within its limit. Rejects with FILE_TOO_COMPLEX or FILE_UNPARSABLE. */
export async function* inflatePieces(packed: Uint8Array, limits: ExtractLimits): AsyncGenerator<Uint8Array> {
  const budget = inflateBudget(packed.length, limits);
  if (packed.length <= WHOLE_PACKED_BYTES) {
    yield inflateWhole(packed, budget);
    return;
  }
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflate.end(packed);
  let size = 0;
  try {
    for await (const piece of inflate as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > budget) throw tooComplex();
      yield piece;
    }
  } catch (error) {
    throw error instanceof ExtractError ? error : damaged();
  }
}

function inflateWhole(packed: Uint8Array, budget: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: budget });
  } catch (error) {
    throw error instanceof RangeError ? tooComplex() : damaged();
  }
}
