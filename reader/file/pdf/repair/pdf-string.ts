/** A string in the source of a PDF (ISO 32000-1, 7.3.4). */
interface PdfString {
  text: string;
  /** Position after the string. */
  end: number;
}

/** Maximum length in the source. */
const MAX_CHARS = 64 * 1024;

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Reads the string at this position, after blanks. Returns null without a string. `source` has one character per byte. */
export function stringAt(source: string, at: number): PdfString | null {
  let from = at;
  while (/\s/.test(source.charAt(from))) from++;
  const raw = source[from] === '(' ? literalAt(source, from) : hexAt(source, from);
  return raw === null ? null : { text: decoded(raw.text), end: raw.end };
}

function hexAt(source: string, from: number): PdfString | null {
  const end = source[from] === '<' ? source.indexOf('>', from) : -1;
  if (end < 0 || end - from > MAX_CHARS) return null;
  const digits = source.slice(from + 1, end).replace(/\s+/g, '');
  if (/[^\da-f]/i.test(digits)) return null;
  return {
    text: Buffer.from(digits.padEnd(digits.length + (digits.length % 2), '0'), 'hex').toString('latin1'),
    end: end + 1,
  };
}

function literalAt(source: string, from: number): PdfString | null {
  let text = '';
  let depth = 0;
  const last = Math.min(source.length, from + MAX_CHARS);
  for (let at = from; at < last; at++) {
    const char = source.charAt(at);
    if (char === '\\') {
      const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0];
      const next = source.charAt(at + 1);
      if (octal !== undefined) text += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      else if (next !== '\n' && next !== '\r') text += escapes[next] ?? next;
      at += octal?.length ?? 1;
      continue;
    }
    if (char === ')' && --depth === 0) return { text, end: at + 1 };
    if (char !== '(' || depth++ > 0) text += char;
  }
  return null;
}

/** Decodes UTF-16 or UTF-8 with a byte order mark. Other strings are Latin. */
function decoded(raw: string): string {
  if (raw.startsWith('\xfe\xff'))
    return new TextDecoder('utf-16be').decode(Buffer.from(raw.slice(2), 'latin1'));
  if (raw.startsWith('\xef\xbb\xbf')) return Buffer.from(raw.slice(3), 'latin1').toString('utf8');
  return raw;
}
