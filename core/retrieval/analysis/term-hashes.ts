import { eachTerm, LONGEST, STEM } from './analyse.js';
import { finishHash, HASH_START, hashStep, termHash } from './term-hash.js';

/** Hashes of a text's terms, in order; the first `size` entries are in use. */
export interface TermHashes {
  table: Uint32Array;
  size: number;
}

export const noHashes = (): TermHashes => ({ table: new Uint32Array(512), size: 0 });

export function hashesOf(text: string): TermHashes {
  const hashes = noHashes();
  addHashes(hashes, text);
  return hashes;
}

/** Replaces the content of `hashes` with a copy of the second list. */
export function copyHashes(hashes: TermHashes, { table, size }: TermHashes): void {
  hashes.size = 0;
  reserve(hashes, size);
  hashes.table.set(table.subarray(0, size));
  hashes.size = size;
}

/** Adds `termHash` of each term that `analyse` returns. */
export function addHashes(hashes: TermHashes, text: string): void {
  if (addAsciiHashes(hashes, text)) return;
  eachTerm(text, (folded, start, end) => {
    reserve(hashes, 1);
    hashes.table[hashes.size++] = termHash(folded, start, end);
  });
}

function reserve(hashes: TermHashes, more: number): void {
  if (hashes.size + more <= hashes.table.length) return;
  const larger = new Uint32Array(Math.max(hashes.table.length * 2, hashes.size + more));
  larger.set(hashes.table.subarray(0, hashes.size));
  hashes.table = larger;
}

const encoder = new TextEncoder();
let bytes = new Uint8Array(8_192);

/** Folded byte of each word character, otherwise 0. Digits sort before letters. */
const folded = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});
const FIRST_LETTER = 97;

/** Fast path for ASCII. Returns false and adds nothing if the text has other characters. */
function addAsciiHashes(hashes: TermHashes, text: string): boolean {
  const { length } = text;
  if (bytes.length < length) bytes = new Uint8Array(length * 2);
  const { read, written } = encoder.encodeInto(text, bytes);
  if (read !== length || written !== length) return false;
  // A term takes at least one byte and a separator.
  reserve(hashes, (length + 1) >> 1);
  const { table } = hashes;
  let { size } = hashes;
  for (let at = 0; at < length; ) {
    let unit = folded[bytes[at++] as number] as number;
    if (unit === 0) continue;
    let hash = HASH_START;
    let stem = 0;
    let units = 0;
    let hasDigit = false;
    do {
      if (units < LONGEST) hash = hashStep(hash, unit);
      units++;
      if (units === STEM) stem = hash;
      if (unit < FIRST_LETTER) hasDigit = true;
      unit = at < length ? (folded[bytes[at++] as number] as number) : 0;
    } while (unit !== 0);
    table[size++] = finishHash(hasDigit || units <= STEM ? hash : stem);
  }
  hashes.size = size;
  return true;
}
