import { type DecodedText, decodeBytes } from '../../charset/decode-bytes.js';
import { detectCharset } from '../../charset/detect-charset.js';
import { ExtractError } from '../../extract-error.js';
import { looksWritten } from './signs.js';

const SAMPLE_BYTES = 4_096;
const MIN_BYTES = 64;
/** EBCDIC (code page 037): the byte of a blank, and the bytes of letters and digits. */
const EBCDIC_BLANK = 0x40;
const isEbcdicLetter = (byte: number): boolean =>
  (byte & 0x0f) <= 9 && ((byte >= 0x81 && byte <= 0xa9) || byte >= 0xc1);
const EBCDIC_SHARE = 0.8;
const EBCDIC_BLANK_SHARE = 0.05;

/**
 * Decodes a text that declares no charset. Throws FILE_TYPE_MISMATCH for binary data, and FILE_UNPARSABLE for text
 * without words.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (isEbcdic(bytes)) {
    throw new ExtractError(
      'FILE_UNPARSABLE',
      'The file is text in EBCDIC, which we do not read. Save it as UTF-8, then upload it again.',
    );
  }
  const charset = detectCharset(bytes);
  if (charset === null) throw new ExtractError('FILE_TYPE_MISMATCH');
  const text = decodeBytes(bytes, charset);
  // Some old programs pad the last block of a file with NULs.
  if (!looksWritten(text.replaceAll('\0', ''))) {
    throw new ExtractError(
      'FILE_UNPARSABLE',
      'The file holds signs that make no words. If it is text, save it as UTF-8, then upload it again.',
    );
  }
  return { text, charset };
}

function isEbcdic(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (sample.length < MIN_BYTES) return false;
  let blanks = 0;
  let letters = 0;
  for (const byte of sample) {
    if (byte === EBCDIC_BLANK) blanks++;
    else if (isEbcdicLetter(byte)) letters++;
  }
  return blanks >= EBCDIC_BLANK_SHARE * sample.length && blanks + letters >= EBCDIC_SHARE * sample.length;
}
