import { isAscii } from 'node:buffer';
import sniffHtmlEncoding from 'html-encoding-sniffer';
import { type DecodedText, decodeBytes } from './decode-bytes.js';
import { detectCharset, isDamagedUtf8 } from './detect-charset.js';

const SNIFF_BYTES = 65_536;
/** The default of browsers. */
const FALLBACK = 'windows-1252';
const UNDECLARED = '';
/**
 * A short text in a multi-byte charset can be valid UTF-8 by chance. A text with this many continuation bytes cannot.
 */
const MIN_MULTIBYTE_CHARS = 16;
/** Charsets in which valid UTF-8 of more than ASCII makes no words. */
const oneByte = /^(?:windows-125\d|iso-8859-\d+)$/;

/**
 * Decodes a body by its byte order mark, Content-Type header, meta element or bytes. The bytes take precedence over a
 * declared one-byte charset if they are valid UTF-8, and over a declared UTF-8 if it is garbled.
 */
export function decodeBody(bytes: Uint8Array, contentType: string | null, html: boolean): DecodedText {
  const declared = declaredCharset(bytes, contentType, html);
  const utf8 = declared.startsWith('utf-16') ? null : decodeStrictly(bytes);
  if (utf8 !== null) {
    const isExpected = declared === UNDECLARED || declared === 'utf-8' || oneByte.test(declared);
    const needed = isExpected ? 1 : MIN_MULTIBYTE_CHARS;
    if (bytes.length - utf8.length >= needed || declared === 'utf-8') return { text: utf8, charset: 'utf-8' };
    if (declared === UNDECLARED)
      return utf8.includes('\u001b') ? decodeUndeclared(bytes) : { text: utf8, charset: 'utf-8' };
  }
  if (declared === UNDECLARED) return decodeUndeclared(bytes);
  if (oneByte.test(declared) && isDamagedUtf8(bytes))
    return { text: decodeBytes(bytes, 'utf-8'), charset: 'utf-8' };
  const text = decodeBytes(bytes, declared);
  return declared === 'utf-8' && isGarbled(text) ? decodeUndeclared(bytes) : { text, charset: declared };
}

function decodeUndeclared(bytes: Uint8Array): DecodedText {
  const charset = detectCharset(bytes) ?? FALLBACK;
  return { text: decodeBytes(bytes, charset), charset };
}

/** Returns whether a text has too many invalid bytes for UTF-8. A few may be mistakes. */
function isGarbled(text: string): boolean {
  let bad = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) bad++;
    else if (code > 127) other++;
  }
  return bad > 5 && bad > other;
}

function declaredCharset(bytes: Uint8Array, contentType: string | null, html: boolean): string {
  const label = /;\s*charset\s*=\s*["']?([^\s"';,]{1,40})/i.exec(contentType ?? '')?.[1];
  const options = {
    defaultEncoding: UNDECLARED,
    xml: !html,
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
  };
  const name = charsetOf(sniffHtmlEncoding(bytes, options));
  if (name !== UNDECLARED || !html) return name;
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, SNIFF_BYTES));
  const late =
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(head) ??
    /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head);
  return charsetOf(late?.[1] ?? UNDECLARED);
}

/** Returns the charset of a label; UNDECLARED if this platform does not support it. */
function charsetOf(label: string): string {
  try {
    return label === '' ? UNDECLARED : new TextDecoder(label).encoding;
  } catch {
    return UNDECLARED;
  }
}

function decodeStrictly(bytes: Uint8Array): string | null {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
