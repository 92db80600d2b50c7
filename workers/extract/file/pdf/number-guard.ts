import { tooComplex } from '../archive/inflate.js';

/** The middle one of three numbers: it may be the end of a range (ISO 32000-1, 9.7.4.3). */
const hugeEnd = /\d\s+[1-9]\d{8,}\s+[\d.+-]/g;
/** Signatures say with such numbers where they lie. */
const signature = /\/ByteRange\s*\[[^\]]*$/;
const SIGNATURE_CHARS = 80;

/**
 * Refuses objects that give widths to more glyphs than there can be: pdf.js would list them one by one, and the whole
 * process would end for want of room. Throws FILE_TOO_COMPLEX.
 */
export function refuseHugeRanges(objects: string): void {
  for (const { index } of objects.matchAll(hugeEnd)) {
    if (!signature.test(objects.slice(Math.max(0, index - SIGNATURE_CHARS), index + 1))) throw tooComplex();
  }
}
