/** A growable list of hashes, each with a number. Uses typed arrays, because there may be millions of entries. */
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
  if (entries.size === entries.hashes.length) grow(entries);
  entries.hashes[entries.size] = hash;
  entries.payloads[entries.size++] = payload;
}

/** Adds the hashes with the same payload. */
export function addEntries(
  entries: Entries,
  { table, size }: { table: Uint32Array; size: number },
  payload: number,
): void {
  const end = entries.size + size;
  while (entries.hashes.length < end) grow(entries);
  entries.hashes.set(table.subarray(0, size), entries.size);
  entries.payloads.fill(payload, entries.size, end);
  entries.size = end;
}

function grow(entries: Entries): void {
  entries.hashes = larger(entries.hashes);
  entries.payloads = larger(entries.payloads);
}

function larger(table: Uint32Array): Uint32Array {
  const grown = new Uint32Array(Math.max(64, table.length * 2));
  grown.set(table);
  return grown;
}

const BITS = 11;
const BUCKETS = 1 << BITS;
const MASK = BUCKETS - 1;
const SHIFTS = [0, BITS, 2 * BITS];

/**
 * Sorts by hash with an LSD radix sort: stable, in linear time. Returns the sorted entries; the content of `entries`
 * is then undefined.
 */
export function sortByHash(entries: Entries): Entries {
  const { size } = entries;
  const starts = startsOf(entries);
  let from = entries;
  let to: Entries = { ...noEntries(size), size };
  for (const [pass, shift] of SHIFTS.entries()) {
    distribute(from, to, starts[pass] as Uint32Array, shift);
    [from, to] = [to, from];
  }
  return from;
}

/** Returns the start of each bucket, for each pass. */
function startsOf({ hashes, size }: Entries): Uint32Array[] {
  const low = new Uint32Array(BUCKETS);
  const middle = new Uint32Array(BUCKETS);
  const high = new Uint32Array(BUCKETS);
  for (let n = 0; n < size; n++) {
    const hash = hashes[n] as number;
    count(low, hash & MASK);
    count(middle, (hash >>> BITS) & MASK);
    count(high, hash >>> (2 * BITS));
  }
  for (const held of [low, middle, high])
    for (let bucket = 0, sum = 0; bucket < BUCKETS; bucket++) {
      const own = held[bucket] as number;
      held[bucket] = sum;
      sum += own;
    }
  return [low, middle, high];
}

function count(held: Uint32Array, bucket: number): void {
  held[bucket] = (held[bucket] as number) + 1;
}

function distribute(from: Entries, to: Entries, starts: Uint32Array, shift: number): void {
  // Hoisted: property access in the loop would dominate the cost.
  const { hashes, payloads, size } = from;
  const { hashes: toHashes, payloads: toPayloads } = to;
  for (let n = 0; n < size; n++) {
    const hash = hashes[n] as number;
    const bucket = (hash >>> shift) & MASK;
    const place = starts[bucket] as number;
    starts[bucket] = place + 1;
    toHashes[place] = hash;
    toPayloads[place] = payloads[n] as number;
  }
}
