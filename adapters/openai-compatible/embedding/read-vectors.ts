import { badAnswer } from '../call-failure.js';

/** More than any provider sends for a batch. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads the answer to a batch of `count` texts. Throws CallFailure unless it holds one vector for
 * each, all of one length.
 */
export async function readVectors(
  body: AsyncIterable<Uint8Array>,
  count: number,
  dimensions: number | undefined,
): Promise<Float32Array[]> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > MAX_BYTES) throw badAnswer('the answer has no end');
  }
  return vectorsIn(parsed(Buffer.concat(pieces).toString('utf8')), count, dimensions);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badAnswer('the answer is not JSON', error);
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

function vectorsIn(answer: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  const data = field(answer, 'data');
  if (!Array.isArray(data) || data.length !== count)
    throw badAnswer(`the answer does not hold ${count} vectors`);
  const vectors: Float32Array[] = [];
  for (const [n, entry] of data.entries()) {
    // Some leave the index out: then they are in order.
    const place = field(entry, 'index') ?? n;
    if (!Number.isInteger(place) || Number(place) < 0 || Number(place) >= count)
      throw badAnswer('a vector stands at an impossible place');
    vectors[Number(place)] = vectorOf(field(entry, 'embedding'));
  }
  const length = dimensions ?? vectors[0]?.length;
  for (let n = 0; n < count; n++)
    if (vectors[n]?.length !== length)
      throw badAnswer(`a vector has ${vectors[n]?.length ?? 'no'} dimensions where ${length} were expected`);
  return vectors;
}

function vectorOf(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length === 0) throw badAnswer('a vector is missing');
  const vector = Float32Array.from(value as number[]);
  let length = 0;
  for (const x of vector) length += x * x;
  if (!Number.isFinite(length) || length === 0) throw badAnswer('a vector has no direction');
  return vector;
}
