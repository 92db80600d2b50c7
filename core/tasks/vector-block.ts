/*
 * Vectors as bytes, on their way and at rest: first the scale of each (32 bits, floating, little endian), then the
 * numbers of each, one byte a number. A number times its scale gives a vector of length 1. This takes a quarter of
 * the space of 32-bit numbers, and the angle between two vectors moves by less than a hundredth.
 */

const SCALE_BYTES = 4;
const MOST = 127;

export const blockBytes = (count: number, dimensions: number): number => count * (SCALE_BYTES + dimensions);

/** The same direction with length 1. */
export function unitVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const x of vector) sum += x * x;
  const length = Math.sqrt(sum);
  return vector.map((x) => x / length);
}

/** Vectors of `dimensions` numbers each, none of them all zero. */
export function vectorBlock(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
  const bytes = new Uint8Array(blockBytes(vectors.length, dimensions));
  const scales = new DataView(bytes.buffer);
  const numbers = new Int8Array(bytes.buffer, vectors.length * SCALE_BYTES);
  for (const [n, vector] of vectors.entries()) {
    const unit = unitVector(vector);
    let largest = 0;
    for (const x of unit) largest = Math.max(largest, Math.abs(x));
    scales.setFloat32(n * SCALE_BYTES, largest / MOST, true);
    for (let k = 0; k < dimensions; k++)
      numbers[n * dimensions + k] = Math.round(((unit[k] as number) / largest) * MOST);
  }
  return bytes;
}

/** One block of several that have the same dimensions. */
export function joinBlocks(blocks: readonly Uint8Array[], dimensions: number): Uint8Array {
  const counts = blocks.map((block) => block.length / (SCALE_BYTES + dimensions));
  const count = counts.reduce((sum, n) => sum + n, 0);
  const joined = new Uint8Array(blockBytes(count, dimensions));
  let first = 0;
  for (const [n, block] of blocks.entries()) {
    const own = counts[n] as number;
    joined.set(block.subarray(0, own * SCALE_BYTES), first * SCALE_BYTES);
    joined.set(block.subarray(own * SCALE_BYTES), count * SCALE_BYTES + first * dimensions);
    first += own;
  }
  return joined;
}

/** The block of `count` vectors of a larger one, from the one at `first` on. */
export function partOfBlock(
  block: Uint8Array,
  dimensions: number,
  { first, count }: { first: number; count: number },
): Uint8Array {
  const all = block.length / (SCALE_BYTES + dimensions);
  const part = new Uint8Array(blockBytes(count, dimensions));
  part.set(block.subarray(first * SCALE_BYTES, (first + count) * SCALE_BYTES));
  const numbersAt = all * SCALE_BYTES;
  part.set(
    block.subarray(numbersAt + first * dimensions, numbersAt + (first + count) * dimensions),
    count * SCALE_BYTES,
  );
  return part;
}

/** Writes the vectors of a block where they are to be, from the one at `at` on. Returns how many they were. */
export function readBlock(
  block: Uint8Array,
  dimensions: number,
  into: { scales: Float32Array; numbers: Int8Array },
  at: number,
): number {
  const count = block.length / (SCALE_BYTES + dimensions);
  const scales = new DataView(block.buffer, block.byteOffset, count * SCALE_BYTES);
  for (let n = 0; n < count; n++) into.scales[at + n] = scales.getFloat32(n * SCALE_BYTES, true);
  const numbers = new Int8Array(block.buffer, block.byteOffset + count * SCALE_BYTES, count * dimensions);
  into.numbers.set(numbers, at * dimensions);
  return count;
}
