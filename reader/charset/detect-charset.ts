import { detectLegacyCharset } from './legacy-charset.js';

/** Maximum share of NULs in a text, which may contain some by mistake; in a short text, this many. */
const ZERO_SHARE = 0.1;
const FEW_ZEROS = 4;
const FEW_ZEROS_SHARE = 0.2;
/** Maximum share of invalid sequences among the multi-byte sequences of a damaged UTF-8 text. */
const DAMAGED_SHARE = 0.34;
/** Number of bytes used to detect a charset. */
const SAMPLE_BYTES = 64 * 1024;

/** Detects the charset of text that declares none and returns its WHATWG name, or null for binary data. */
export function detectCharset(bytes: Uint8Array): string | null {
  const charset = charsetOfBom(bytes) ?? escapedCharset(bytes) ?? utf8Charset(bytes) ?? utf16Charset(bytes);
  if (charset !== null) return charset;
  return isBinary(bytes) ? null : detectLegacyCharset(bytes.subarray(0, SAMPLE_BYTES));
}

function charsetOfBom([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return null;
}

/** Detects ISO-2022-JP, which is 7-bit and therefore valid UTF-8, by its escape sequences (RFC 1468). */
function escapedCharset(bytes: Uint8Array): string | null {
  const sample = Buffer.from(bytes.subarray(0, SAMPLE_BYTES)).toString('latin1');
  const isEscaped = sample.includes('\u001b$B') || sample.includes('\u001b$@');
  return isEscaped && !/[\x80-\xff]/.test(sample) ? 'iso-2022-jp' : null;
}

function utf8Charset(bytes: Uint8Array): string | null {
  if (isBinary(bytes)) return null;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return isDamagedUtf8(bytes) ? 'utf-8' : null;
  }
}

/** Returns whether most sequences of bytes beyond ASCII are valid UTF-8, which is unlikely in another charset. */
export function isDamagedUtf8(bytes: Uint8Array): boolean {
  const beyondAscii = new TextDecoder('utf-8').decode(bytes, { stream: true }).replace(/[\0-\x7f]+/g, '');
  const invalid = beyondAscii.replace(/[^\ufffd]+/g, '').length;
  return invalid <= DAMAGED_SHARE * (beyondAscii.length - invalid);
}

/** Detects UTF-16: most code units of Latin text have a zero byte, always in the same half of the pair. */
function utf16Charset(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const pairs = sample.length / 2;
  if (Math.max(even, odd) < pairs * 0.05 || Math.min(even, odd) > 1 + Math.max(even, odd) * 0.1) return null;
  const charset = odd > even ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(charset).decode(sample.subarray(0, sample.length - (sample.length % 2)));
  return /(?![\t\n\v\f\r])\p{Cc}|[\ufffd-\uffff]/u.test(text) ? null : charset;
}

/**
 * Returns whether the bytes are not text. Text contains hardly any control characters, and NULs only by mistake or as
 * padding at its end.
 */
function isBinary(bytes: Uint8Array): boolean {
  const sample = withoutPadding(bytes).subarray(0, SAMPLE_BYTES);
  let controls = 0;
  let zeros = 0;
  for (const byte of sample) if (byte === 0) zeros++;
  const few = Math.min(FEW_ZEROS, sample.length * FEW_ZEROS_SHARE);
  if (zeros > Math.max(few, sample.length * ZERO_SHARE)) return true;
  for (const byte of sample)
    if ((byte > 0 && byte < 8) || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  return controls > Math.max(2, sample.length * 0.01);
}

/** Removes zeros at the end. Some old programs pad the last block of a file with them. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
