/** Returns the first `most` nonblank lines, trimmed. Reads no further, so that a text of a million lines is cheap. */
export function lines(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  for (const [line] of text.matchAll(/\S[^\r\n]*/g)) {
    if (found.length >= most) break;
    found.push(line.trimEnd());
  }
  return found;
}
