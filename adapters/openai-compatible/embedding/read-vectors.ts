import { holdsMoreValues } from '../../../core/schemas/json-values.js';
import { badResponse } from '../call-failure.js';
import { collectBytes } from '../collect-bytes.js';
import { isEmbeddings } from '../wire.js';
import { MAX_DIMENSIONS } from './options.js';

/** Maximum bytes of a number in a vector, including a line break and indentation. */
const NUMBER_BYTES = 64;
/** Maximum bytes and JSON values of the other fields of a vector. */
const FRAME_BYTES = 4096;
const FRAME_VALUES = 100;
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads the response to a batch. Throws CallFailure unless it contains `count` vectors of equal length. */
export async function readVectors(
  body: AsyncIterable<Uint8Array>,
  count: number,
  dimensions: number | undefined,
): Promise<Float32Array[]> {
  const numbers = dimensions ?? MAX_DIMENSIONS;
  const most = Math.min(MAX_BYTES, count * (FRAME_BYTES + numbers * NUMBER_BYTES));
  const bytes = await collectBytes(body, most + 1);
  if (bytes.byteLength > most) throw badResponse('the response is too long');
  // A parsed empty list or object takes ten times the memory of its text.
  if (holdsMoreValues(bytes, count * (FRAME_VALUES + numbers)))
    throw badResponse(`the response has more JSON values than ${count} vectors need`);
  return vectorsIn(parsed(bytes.toString('utf8')), count, dimensions);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badResponse('the response is not JSON', error);
  }
}

function vectorsIn(response: unknown, count: number, dimensions: number | undefined): Float32Array[] {
  if (!isEmbeddings(response) || response.data.length !== count)
    throw badResponse(`the response does not contain ${count} vectors`);
  const vectors: Float32Array[] = [];
  for (const [n, { index, embedding }] of response.data.entries()) {
    // Some providers omit the index. Their vectors are in order.
    const place = index ?? n;
    if (place >= count) throw badResponse('the index of a vector is too large');
    vectors[place] = vectorOf(embedding);
  }
  const length = dimensions ?? vectors[0]?.length;
  for (let n = 0; n < count; n++)
    if (vectors[n]?.length !== length)
      throw badResponse(
        `a vector has ${vectors[n]?.length ?? 'no'} dimensions where ${length} were expected`,
      );
  return vectors;
}

function vectorOf(embedding: number[]): Float32Array {
  const vector = Float32Array.from(embedding);
  let length = 0;
  for (const x of vector) length += x * x;
  if (!Number.isFinite(length) || length === 0)
    throw badResponse('a vector is zero or contains invalid numbers');
  return vector;
}
