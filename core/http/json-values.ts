const byteOf = (character: string): number => character.charCodeAt(0);
const QUOTE = byteOf('"');
const BACKSLASH = byteOf('\\');
/** Each value but the last stands before a comma or opens a list or an object. */
const COUNTED: ReadonlySet<number> = new Set([',', '[', '{'].map(byteOf));

/**
 * Whether a JSON text has more than about `most` values; a string of any length counts as one. A text of
 * small values takes its parser fifty times as long as one of long strings. This tells without parsing.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  if (json.length <= most) return false;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) {
      at = endOfString(json, at + 1);
      if (at === -1) return false;
    } else if (COUNTED.has(byte)) {
      values++;
      if (values > most) return true;
    }
  }
  return false;
}

/** Where the string that begins at `from` has its closing quote; -1 when it has none. */
function endOfString(json: Buffer, from: number): number {
  const quote = json.indexOf(QUOTE, from);
  if (json[quote - 1] !== BACKSLASH) return quote;
  for (let at = from; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return -1;
}
