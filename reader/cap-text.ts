/** Maximum size of a stored text, in UTF-8 bytes. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** If a line end is this close to the limit, the text is cut there. Characters. */
const NEAR_CHARS = 2_000;

/** Cuts the text to at most `maxBytes` of UTF-8, at a line end if one is near. */
export function capText(text: string, maxBytes: number = MAX_TEXT_BYTES): { text: string; isCut: boolean } {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return { text, isCut: false };
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  const line = text.lastIndexOf('\n', read);
  return { text: text.slice(0, line > read - NEAR_CHARS && line > 0 ? line : read).trimEnd(), isCut: true };
}
