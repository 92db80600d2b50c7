import { createHash } from 'node:crypto';
import { normalForm } from '../../reader/normal-form.js';

const LENGTH = 32;

/**
 * Hashes a question. Questions that differ only in case, white space, compatibility characters (NFKC) or punctuation at
 * the end have the same hash.
 */
export function questionHash(text: string): string {
  // Upper case first: it also folds letters such as ß.
  const folded = normalForm(normalForm(text, 'NFKC').toUpperCase().toLowerCase(), 'NFKC').replace(
    /\s+/gu,
    '',
  );
  return createHash('sha256').update(withoutEnd(folded)).digest('hex').slice(0, LENGTH);
}

/** Removes punctuation at the end, unless the text consists of punctuation only. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /\p{P}/u.test(text.charAt(end - 1))) end -= 1;
  return end === 0 ? text : text.slice(0, end);
}
