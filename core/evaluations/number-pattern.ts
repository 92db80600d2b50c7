/** A number as people write it: digits, with separators between them. */
export const WRITTEN_NUMBER = /\d(?:[\d.,']*\d)?/g;

const GROUPED = /^\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;
const PLAIN = /^\d+(?:[.,]\d+)?$/;

/**
 * Returns a regular expression for all ways to write the same number: `42` is also `42.00` and `42,00`, `1,500` is also
 * `1500` and `1 500.00`. Returns null for digits that are no number, such as a version or a telephone number.
 */
export function numberPattern(written: string): string | null {
  const isGrouped = GROUPED.test(written);
  if ((!isGrouped && !PLAIN.test(written)) || /^0\d/.test(written)) return null;
  const [, grouping = ''] = GROUPED.exec(written) ?? [];
  const plain = isGrouped ? written.replaceAll(grouping, '') : written;
  const [whole = '', fraction = ''] = plain.split(/[.,]/);
  const decimals = fraction.replace(/0+$/, '');
  const groups = whole.replace(/\B(?=(?:\d{3})+$)/g, "[.,' ]?");
  // More zeros would be thousands.
  return groups + (decimals === '' ? '(?:[.,]0{1,2}(?!\\d))?' : `[.,]${decimals}0*`);
}
