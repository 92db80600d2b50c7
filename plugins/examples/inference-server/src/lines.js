/**
 * Yields the lines of a stream. A line may arrive in several pieces.
 * @param {AsyncIterable<Uint8Array>} stream
 */
export async function* linesOf(stream) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
