import { tooComplex } from '../../archive/inflate.js';

/** Three numbers, of which the second may be the end of a range (ISO 32000-1, 9.7.4.3). */
const hugeEnd = /\d\s+[1-9]\d{8,}\s+[\d.+-]/g;
/** Strings are skipped, because telephone numbers are not ranges. So are boxes of maximum size. */
const strings = /\((?:\\.|[^\\()])*\)/gs;
const boxes = /\/(?:Rect|\w*Box)\s*\[[^\]]*\]/g;
/** The byte range of a signature contains such numbers. */
const signature = /\/ByteRange\s*\[[^\]]*$/;
const SIGNATURE_CHARS = 80;

/**
 * Throws FILE_TOO_COMPLEX for objects that declare widths for impossibly many glyphs. pdf.js would list all of them and
 * exhaust the memory of the process.
 */
export function refuseHugeRanges(objects: string): void {
  if (objects.search(hugeEnd) < 0) return;
  const numbers = objects.replace(strings, '()').replace(boxes, '');
  for (const { index } of numbers.matchAll(hugeEnd)) {
    if (!signature.test(numbers.slice(Math.max(0, index - SIGNATURE_CHARS), index + 1))) throw tooComplex();
  }
}
