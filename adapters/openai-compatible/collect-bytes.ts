const FIRST_BYTES = 16_384;

/**
 * Collects at most `max` bytes of a body. Uses one growing buffer, because a buffer for each short chunk would take
 * far more memory.
 */
export async function collectBytes(body: AsyncIterable<Uint8Array>, max: number): Promise<Buffer> {
  let buffer = Buffer.allocUnsafe(Math.min(max, FIRST_BYTES));
  let length = 0;
  for await (const piece of body) {
    const taken = piece.subarray(0, max - length);
    if (length + taken.byteLength > buffer.byteLength) {
      const grown = Buffer.allocUnsafe(Math.min(max, Math.max(length + taken.byteLength, 2 * length)));
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    buffer.set(taken, length);
    length += taken.byteLength;
    if (length === max) break;
  }
  return buffer.subarray(0, length);
}

const MAX_ERROR_BYTES = 16_384;

/** Returns the start of an error's body, which is enough to identify the error. */
export const beginningOf = async (body: AsyncIterable<Uint8Array>): Promise<string> =>
  (await collectBytes(body, MAX_ERROR_BYTES)).toString('utf8');
