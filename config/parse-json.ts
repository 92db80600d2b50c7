import { type ParseError, parse } from 'jsonc-parser';

/** Index at which `source` stops being JSON. */
function faultIndex(source: string): number {
  const faults: ParseError[] = [];
  parse(source, faults, { disallowComments: true });
  return faults[0]?.offset ?? source.length;
}

/**
 * Parses JSON (a byte order mark is fine). The problem names line and column and, other than the engine's own
 * message, quotes nothing of the text, which may hold secrets.
 */
export function parseJson(source: string): { value: unknown } | { problem: string } {
  const json = source.startsWith('\uFEFF') ? source.slice(1) : source;
  try {
    return { value: JSON.parse(json) };
  } catch {
    const lines = json.slice(0, faultIndex(json)).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    return { problem: `is not valid JSON at line ${lines.length}, column ${column}` };
  }
}
