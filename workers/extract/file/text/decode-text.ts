import { type DecodedText, decodeBytes } from '../../charset/decode-bytes.js';
import { detectCharset } from '../../charset/detect-charset.js';
import { ExtractError } from '../../extract-error.js';

/** Decodes a text that declares no charset. Throws FILE_TYPE_MISMATCH for binary data. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const charset = detectCharset(bytes);
  if (charset === null) throw new ExtractError('FILE_TYPE_MISMATCH');
  return { text: decodeBytes(bytes, charset), charset };
}
