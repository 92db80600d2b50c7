import { isAscii } from 'node:buffer';
import chardet from 'chardet';
import sniffHtmlEncoding from 'html-encoding-sniffer';

export interface DecodedText {
  text: string;
  /** WHATWG name of the encoding, lower case. */
  charset: string;
}

const SNIFF_BYTES = 65_536;
const FALLBACK = 'windows-1252';
const UNDECLARED = '';
/** Guesses this near to the best one count as well as it. */
const NEAR_CONFIDENCE = 15;
/** Bytes 0x80 to 0x9f of windows-1252 (https://encoding.spec.whatwg.org/#legacy-single-byte-encodings). */
const westernSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
/** Short texts in a multi-byte charset can be valid UTF-8 by chance; text with this many extra bytes is not. */
const MIN_MULTIBYTE_CHARS = 16;

/**
 * Decodes a body: byte order mark, Content-Type header, meta element, else from the bytes themselves. Pages that
 * declare a one-byte charset but hold valid UTF-8 are common, the reverse too: the bytes decide then.
 */
export function decodeBody(bytes: Uint8Array, contentType: string | null, html: boolean): DecodedText {
  const declared = declaredCharset(bytes, contentType, html);
  const utf8 = declared.startsWith('utf-16') ? null : decodeStrictly(bytes);
  if (utf8 !== null) {
    const needed = /^(?:|utf-8|windows-125\d|iso-8859-\d+)$/.test(declared) ? 1 : MIN_MULTIBYTE_CHARS;
    if (bytes.length - utf8.length >= needed || declared === 'utf-8') return { text: utf8, charset: 'utf-8' };
    if (declared === UNDECLARED)
      return utf8.includes('\u001b') ? decodeUndeclared(bytes) : { text: utf8, charset: 'utf-8' };
  }
  const decoded = decode(bytes, declared);
  if (decoded === null || (declared === 'utf-8' && isGarbled(decoded.text))) return decodeUndeclared(bytes);
  return decoded;
}

/** A few bad bytes happen in good UTF-8; more of them mean another charset. */
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
  const name = sniffHtmlEncoding(bytes, options).toLowerCase();
  if (name !== UNDECLARED || !html) return name;
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, SNIFF_BYTES));
  const late =
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(head) ??
    /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head);
  return decoderFor(late?.[1] ?? UNDECLARED)?.encoding ?? UNDECLARED;
}

/** Neither declared nor UTF-8: what the bytes look like, else what browsers assume. */
function decodeUndeclared(bytes: Uint8Array): DecodedText {
  const guesses = chardet.analyse(bytes.subarray(0, SNIFF_BYTES));
  const best = guesses[0];
  const western = guesses.find(({ name }) => decoderFor(name)?.encoding === FALLBACK);
  const isWestern =
    best !== undefined && western !== undefined && western.confidence >= best.confidence - NEAR_CONFIDENCE;
  const label = best === undefined || isWestern ? FALLBACK : best.name;
  return decode(bytes, label) ?? { text: decodeWestern(bytes), charset: FALLBACK };
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function decode(bytes: Uint8Array, label: string): DecodedText | null {
  if (label === UNDECLARED) return null;
  const decoder = decoderFor(label);
  if (decoder === null) return null;
  const text = decoder.encoding === FALLBACK ? decodeWestern(bytes) : decoder.decode(bytes);
  return { text, charset: decoder.encoding };
}

/** The runtime may decode windows-1252 as ISO-8859-1: quotes and the euro sign then come out as control characters. */
function decodeWestern(bytes: Uint8Array): string {
  const text = new TextDecoder(FALLBACK).decode(bytes);
  return text.replace(/[\u0080-\u009f]/g, (char) => westernSigns.charAt(char.charCodeAt(0) - 0x80));
}

function decodeStrictly(bytes: Uint8Array): string | null {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
