import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { TaskFailure } from '../../core/tasks/failures.js';
import { looksLikeText } from '../../reader/sniff.js';

export interface BodyLimits {
  /** Maximum body size, both compressed and decompressed. */
  maxBytes: number;
  /** What to do with a larger body: `fail` throws BODY_TOO_LARGE, `truncate` keeps the beginning. */
  overflow: 'fail' | 'truncate';
}

interface Collected {
  bytes: Uint8Array<ArrayBuffer>;
  complete: boolean;
}

/** Enough of a body to tell its type. */
const START_BYTES = 1024;

/** Reads up to `maxBytes`. `admitStart` gets the beginning. Leaving the loop early destroys the source. */
const collect = async (
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
  admitStart?: (start: Uint8Array) => void,
): Promise<Collected> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    signal.throwIfAborted();
    chunks.push(chunk);
    if (size < START_BYTES && size + chunk.length >= START_BYTES) admitStart?.(Buffer.concat(chunks));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  // Use a separate buffer, so that it can be transferred to a thread.
  const bytes = new Uint8Array(Math.min(size, maxBytes));
  let at = 0;
  for (const chunk of chunks) {
    const rest = chunk.subarray(0, bytes.length - at);
    bytes.set(rest, at);
    at += rest.length;
  }
  return { bytes, complete: size <= maxBytes };
};

/**
 * Returns whether the bytes start with a zlib header, recognised by its checksum (RFC 1950). In RFC 9110, `deflate`
 * means zlib, but some servers omit its header.
 */
const hasZlibHeader = ([first = 0, second = 0]: Uint8Array): boolean =>
  (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;

const chunkSize = 64 * 1024;
const decoders = new Map<string, (bytes: Uint8Array) => Duplex>([
  ['gzip', () => createGunzip({ chunkSize })],
  ['x-gzip', () => createGunzip({ chunkSize })],
  ['br', () => createBrotliDecompress({ chunkSize })],
  [
    'deflate',
    (bytes) => (hasZlibHeader(bytes) ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })),
  ],
]);

export const acceptedEncodings = 'gzip, deflate, br';
const MAX_CODINGS = 2;

/** Compressions that are registered, but not supported. Servers also send names that are none, such as `utf-8`. */
const unsupportedCodings = new Set([
  'zstd',
  'compress',
  'x-compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'bzip2',
]);

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

const tooLarge = (maxBytes: number): TaskFailure =>
  new TaskFailure('BODY_TOO_LARGE', {
    message: `The page is larger than the limit of ${maxBytes} bytes. Submit smaller pages, or upload the document as a file.`,
  });

const damaged = (cause: unknown): TaskFailure =>
  new TaskFailure('FETCH_FAILED', {
    message: 'The site sent a damaged compressed page. Check that the page opens in a browser.',
    cause,
  });

/**
 * Reads the body and decodes its content codings (RFC 9110 section 8.4). The bytes take precedence over the header: a body
 * that is not compressed is returned unchanged, and gzip is decoded even if it is not declared. Stops at the limit, so that a
 * decompression bomb cannot exhaust memory. `admitStart` throws to reject the rest of a body by its beginning. Throws the
 * stream's errors, or TaskFailure: BODY_TOO_LARGE, CONTENT_TYPE_UNSUPPORTED, or FETCH_FAILED for invalid compression.
 */
export const readBody = async (
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string,
  { maxBytes, overflow }: BodyLimits,
  signal: AbortSignal,
  admitStart?: (start: Uint8Array) => void,
): Promise<Uint8Array<ArrayBuffer>> => {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const codings = names.filter((coding) => decoders.has(coding));
  // A compressed body is judged once it is decoded.
  let collected = await collect(body, maxBytes, signal, (start) => {
    if (codings.length === 0 && !isGzip(start)) admitStart?.(start);
  });
  const unsupported = names.find((coding) => unsupportedCodings.has(coding));
  const isUnsupported = unsupported !== undefined && !looksLikeText(collected.bytes);
  if (isUnsupported || codings.length > MAX_CODINGS) {
    throw new TaskFailure('CONTENT_TYPE_UNSUPPORTED', {
      message: `The site uses an unsupported compression (${(unsupported ?? codings.join(', ')).slice(0, 40)}). Use gzip, deflate or br.`,
    });
  }
  for (let decoded = 0; decoded < MAX_CODINGS; decoded += 1) {
    const { bytes, complete } = collected;
    const coding = isGzip(bytes) ? 'gzip' : codings.findLast((name) => name !== 'gzip' && name !== 'x-gzip');
    const decoder = coding === undefined || bytes.length === 0 ? undefined : decoders.get(coding)?.(bytes);
    if (coding === undefined || !decoder) break;
    // A truncated compressed body cannot be decoded.
    if (!complete) throw tooLarge(maxBytes);
    decoder.end(bytes);
    try {
      collected = await collect(decoder, maxBytes, signal);
    } catch (cause) {
      signal.throwIfAborted();
      if (coding === 'gzip' || !looksLikeText(bytes)) throw damaged(cause);
      break;
    }
    codings.splice(codings.lastIndexOf(coding), 1);
  }
  admitStart?.(collected.bytes);
  if (!collected.complete && overflow === 'fail') throw tooLarge(maxBytes);
  return collected.bytes;
};

/** Throws BODY_TOO_LARGE if the declared length of a body exceeds the limit. */
export const refuseDeclaredLength = (
  contentLength: string | null,
  { maxBytes, overflow }: BodyLimits,
): void => {
  if (overflow === 'fail' && contentLength !== null && Number(contentLength) > maxBytes)
    throw tooLarge(maxBytes);
};
