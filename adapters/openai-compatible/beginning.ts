const MAX_ERROR_BYTES = 16_384;

/** Enough of an error's body to know it by. */
export async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size >= MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MAX_ERROR_BYTES).toString('utf8');
}
