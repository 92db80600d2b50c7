import { tooComplex } from '../archive/inflate.js';

/** The middle one of three numbers: it may be the end of a range (ISO 32000-1, 9.7.4.3). */
const hugeEnd = /\d\s+[1-9]\d{8,}\s+[\d.+-]/g;
/** Telephone numbers in notes and titles, and boxes as large as can be, are no ranges. */
const strings = /\((?:\\.|[^\\()])*\)/gs;
const boxes = /\/(?:Rect|\w*Box)\s*\[[^\]]*\]/g;
/** Signatures say with such numbers where they lie. */
const signature = /\/ByteRange\s*\[[^\]]*$/;
const SIGNATURE_CHARS = 80;

/**
 * Refuses objects that give widths to more glyphs than there can be: pdf.js would list them one by one, and
 * the whole process would end for want of room. Throws FILE_TOO_COMPLEX.
 */
export function refuseHugeRanges(objects: string): void {
  if (objects.search(hugeEnd) < 0) return;
  const numbers = objects.replace(strings, '()').replace(boxes, '');
  for (const { index } of numbers.matchAll(hugeEnd)) {
    if (!signature.test(numbers.slice(Math.max(0, index - SIGNATURE_CHARS), index + 1))) throw tooComplex();
  }
}
