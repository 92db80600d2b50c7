import { detectLegacyCharset } from './legacy-charset.js';

/** NULs that a text may hold by mistake. */
const ZERO_SHARE = 0.001;
/** Bytes that are looked at to tell a charset. */
const SAMPLE_BYTES = 64 * 1024;

/**
 * WHATWG name of the charset of some text that declares none: by its byte order mark, else UTF-8 if it is
 * that, else UTF-16 by its zeros, else the likeliest legacy charset. Null for what is no text.
 */
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

/** ISO-2022-JP is 7-bit, so that it passes for UTF-8, but it announces its character sets by escapes (RFC 1468). */
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
    return null;
  }
}

/**
 * UTF-16 without a BOM shows zeros on one side of its pairs (spaces, digits, Latin letters), and
 * hardly any on the other.
 */
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

/** Text holds hardly any control character, and NUL only here and there or as padding at its end. */
function isBinary(bytes: Uint8Array): boolean {
  const sample = withoutPadding(bytes).subarray(0, SAMPLE_BYTES);
  let controls = 0;
  let zeros = 0;
  for (const byte of sample) if (byte === 0) zeros++;
  if (zeros > sample.length * ZERO_SHARE) return true;
  for (const byte of sample) if (byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  return controls > Math.max(2, sample.length * 0.01);
}

/** Old programs fill the last block of a file with zeros. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}
