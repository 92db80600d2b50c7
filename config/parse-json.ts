const space = /[ \t\r\n]*/y;
const text = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = new RegExp(
  `${text.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`,
  'y',
);

/** Index at which `source` stops being JSON; its length when it only ends too early. */
function faultIndex(source: string): number {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found !== null;
  };
  const takeSign = (sign: string): boolean => {
    take(space);
    if (source[at] !== sign) return false;
    at += 1;
    return true;
  };
  const list = (end: string, item: () => boolean): boolean => {
    if (takeSign(end)) return true;
    do if (!item()) return false;
    while (takeSign(','));
    return takeSign(end);
  };
  const key = (): boolean => {
    take(space);
    return take(text) && takeSign(':');
  };
  const value = (): boolean => {
    if (takeSign('{')) return list('}', () => key() && value());
    if (takeSign('[')) return list(']', value);
    return take(scalar);
  };
  if (value()) take(space);
  return at;
}

/**
 * Parses JSON (a byte order mark is fine). The problem names line and column and, other than the engine's own message,
 * quotes nothing of the text, which may hold secrets.
 */
export function parseJson(source: string): { value: unknown } | { problem: string } {
  const json = source.startsWith('\uFEFF') ? source.slice(1) : source;
  try {
    return { value: JSON.parse(json) };
  } catch {
    const lines = json.slice(0, faultIndex(json)).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    return { problem: `is not valid JSON from line ${lines.length}, column ${column} on` };
  }
}
