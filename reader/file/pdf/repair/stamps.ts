/**
 * Begins the text of an annotation that was a stamp without a text of its own. The name of the stamp follows. UTF-16 for
 * a private-use character, which typed texts do not contain.
 */
const MARK = '\\376\\377\\370\\171';
/** The same in the text that pdf.js returns. */
export const STAMP = '\uf879';

const isStamp = /\/Subtype\s*\/Stamp(?![A-Za-z])/;
const ownText = /\/(?:Contents|RC)(?![A-Za-z])/;

/**
 * Returns a stamp (ISO 32000-1, 12.5.6.12) as free text, of which pdf.js also returns what is drawn; null for other
 * objects and for stamps with a text.
 */
export function withStampText(annotation: string): string | null {
  if (!isStamp.test(annotation) || ownText.test(annotation)) return null;
  const name = /\/Name\s*\/([A-Za-z]+)(?![^\s/<>()[\]{}%])/.exec(annotation)?.[1] ?? '';
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2');
  return annotation.replace(isStamp, `/Subtype/FreeText/Contents(${MARK}${words.replace(/./g, '\\000$&')})`);
}
