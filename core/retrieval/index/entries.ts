/** A list of hashes, each with a number, that grows: tables, because there may be millions. */
export interface Entries {
  hashes: Uint32Array;
  payloads: Uint32Array;
  size: number;
}

export const noEntries = (capacity: number): Entries => ({
  hashes: new Uint32Array(capacity),
  payloads: new Uint32Array(capacity),
  size: 0,
});

export function addEntry(entries: Entries, hash: number, payload: number): void {
  if (entries.size === entries.hashes.length) {
    entries.hashes = larger(entries.hashes);
    entries.payloads = larger(entries.payloads);
  }
  entries.hashes[entries.size] = hash;
  entries.payloads[entries.size++] = payload;
}

function larger(table: Uint32Array): Uint32Array {
  const grown = new Uint32Array(Math.max(64, table.length * 2));
  grown.set(table);
  return grown;
}

const BITS = 11;
const BUCKETS = 1 << BITS;
const MASK = BUCKETS - 1;

/** In order of the hashes; equal ones stay in the order in which they came. Linear: a radix sort from the low bits up. */
export function sortByHash(entries: Entries): Entries {
  const { size } = entries;
  let from = entries;
  let to: Entries = { ...noEntries(size), size };
  const starts = new Uint32Array(BUCKETS);
  for (let shift = 0; shift < 32; shift += BITS) {
    starts.fill(0);
    for (let n = 0; n < size; n++) {
      const bucket = ((from.hashes[n] as number) >>> shift) & MASK;
      starts[bucket] = (starts[bucket] as number) + 1;
    }
    for (let bucket = 0, sum = 0; bucket < BUCKETS; bucket++) {
      const held = starts[bucket] as number;
      starts[bucket] = sum;
      sum += held;
    }
    for (let n = 0; n < size; n++) {
      const hash = from.hashes[n] as number;
      const bucket = (hash >>> shift) & MASK;
      const place = starts[bucket] as number;
      starts[bucket] = place + 1;
      to.hashes[place] = hash;
      to.payloads[place] = from.payloads[n] as number;
    }
    [from, to] = [to, from];
  }
  return from;
}
