import { hasPdfHeader, sniffContainer } from './file/file-kind.js';
import type { FileKind } from './reading.js';

/* Tells the type of a response by its bytes. Compares only signatures and single bytes, so the main thread may do it. */

const SAMPLE_BYTES = 4096;
/** Maximum shares of control characters and of NULs in a text, which may contain some by mistake. */
const CONTROL_SHARE = 0.02;
const NUL_SHARE = 0.05;

/** Names of parts that an Office file of a type always has. They are stored uncompressed in the archive. */
const officeParts: readonly (readonly [part: string, kind: FileKind])[] = [
  ['word/document', 'docx'],
  ['xl/workbook', 'xlsx'],
  ['ppt/presentation', 'pptx'],
];

/** Returns the type of a document file with a signature, or null. */
export function documentKindOf(bytes: Uint8Array): FileKind | null {
  const container = sniffContainer(bytes);
  if (container === 'pdf') return 'pdf';
  if (container !== 'zip') return null;
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return officeParts.find(([part]) => archive.includes(part))?.[1] ?? null;
}

/** Returns whether the bytes begin as a page or another XML document does. */
export const isMarkup = (bytes: Uint8Array): boolean => sniffContainer(bytes) === 'markup';

/** Returns whether the bytes begin as a page does. */
export const isPage = (bytes: Uint8Array): boolean =>
  isMarkup(bytes) &&
  /<(?:!doctype html|html)\b/i.test(Buffer.from(bytes.subarray(0, SAMPLE_BYTES)).toString('latin1'));

/** Returns whether the first bytes are those of a page or a PDF. */
export const beginsReadable = (bytes: Uint8Array): boolean => isPage(bytes) || hasPdfHeader(bytes);

/** Control characters other than tab, newlines and escape, which begins the sequences of ISO-2022-JP. */
const isControl = (byte: number): boolean =>
  (byte > 0 && byte < 9) || byte === 11 || (byte > 13 && byte < 32 && byte !== 27);

interface Share {
  controls: number;
  nuls: number;
  size: number;
}

function shareOf(bytes: Uint8Array): Share {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const share = { controls: 0, nuls: 0, size: sample.length };
  for (const byte of sample) {
    if (byte === 0) share.nuls += 1;
    else if (isControl(byte)) share.controls += 1;
  }
  return share;
}

const hasControls = (bytes: Uint8Array): boolean => {
  const { controls, nuls } = shareOf(bytes);
  return controls + nuls > 0;
};

/** Returns whether the first kilobytes are UTF-8 without any control character. */
export function looksLikeText(bytes: Uint8Array): boolean {
  if (hasControls(bytes)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, SAMPLE_BYTES), { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the NULs are those of UTF-16: in most pairs of bytes, always in the same half. */
function isUtf16({ nuls, size }: Share, bytes: Uint8Array): boolean {
  let even = 0;
  for (let at = 0; at < size; at += 2) if (bytes[at] === 0) even += 1;
  return Math.min(even, nuls - even) <= NUL_SHARE * nuls;
}

const declaresUtf16 = (contentType: string | null, [first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  /charset\s*=\s*["']?utf-16/i.test(contentType ?? '');

/** Maximum share of characters without a meaning in UTF-16. Other data have about a sixth. */
const MEANINGLESS_SHARE = 0.05;

/** Returns whether bytes that are declared as UTF-16 are text neither in UTF-16 nor in UTF-8. */
function isFalselyUtf16(bytes: Uint8Array, contentType: string | null): boolean {
  if (looksLikeText(bytes)) return false;
  const isBig = (bytes[0] === 0xfe && bytes[1] === 0xff) || /utf-16be/i.test(contentType ?? '');
  const sample = bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length - (bytes.length % 2)));
  const text = new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(sample);
  const meaningless = text.match(/[\p{Cn}\p{Co}\ufffd]|(?![\t-\r])\p{Cc}/gu)?.length ?? 0;
  return meaningless > Math.max(2, MEANINGLESS_SHARE * text.length);
}

/** Returns whether the bytes are no text in any charset. */
export function isBinary(bytes: Uint8Array, contentType: string | null): boolean {
  const container = sniffContainer(bytes);
  if (container === 'zip' || container === 'cfb' || container === 'rtf') return true;
  // Some signatures of binary files are ordinary letters.
  if (container === 'binary') return hasControls(bytes);
  if (declaresUtf16(contentType, bytes)) return isFalselyUtf16(bytes, contentType);
  const share = shareOf(bytes);
  const { controls, nuls, size } = share;
  if (controls > Math.max(2, CONTROL_SHARE * size)) return true;
  return nuls > Math.max(2, NUL_SHARE * size) && !isUtf16(share, bytes);
}
