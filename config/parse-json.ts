import { type ParseError, parse } from 'jsonc-parser';

/** Returns the index of the first character that is not valid JSON. */
function faultIndex(source: string): number {
  const faults: ParseError[] = [];
  parse(source, faults, { disallowComments: true });
  return faults[0]?.offset ?? source.length;
}

/**
 * Parses JSON, with or without a byte order mark. The problem contains line and column but, unlike V8's message, no
 * part of the text, which may contain secrets.
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
