/** Maximum distance of the header from the start, up to which pdf.js corrects offsets. */
const HEADER_WITHIN = 1024;
/** Maximum length of a trailer, and of the dictionary of a cross-reference stream. */
const TRAILER_CHARS = 8_192;

export interface NewObject {
  number: number;
  generation: number;
  source: string;
}

/** Appends new versions of objects (ISO 32000-1, 7.5.6). Returns null if the file has no usable trailer. */
export function withUpdate(bytes: Uint8Array, objects: readonly NewObject[]): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = Math.max(0, file.subarray(0, HEADER_WITHIN).indexOf('%PDF-'));
  const pointer = file.toString('latin1', Math.max(0, file.lastIndexOf('startxref')));
  const previous = Number(/^startxref\s+(\d{1,10})/.exec(pointer)?.[1] ?? Number.NaN);
  const trailer = Number.isNaN(previous) ? null : trailerAt(file, previous + header);
  const root = trailer === null ? undefined : /\/Root\s+\d+\s+\d+\s+R/.exec(trailer)?.[0];
  if (trailer === null || root === undefined || /\/Encrypt\b/.test(trailer)) return null;
  const info = /\/Info\s+\d+\s+\d+\s+R/.exec(trailer)?.[0] ?? '';
  const size = /\/Size\s+(\d+)/.exec(trailer)?.[1] ?? '0';

  const parts: string[] = ['\n'];
  let at = file.length - header + 1;
  const table: string[] = [];
  for (const { number, generation, source } of objects) {
    const text = `${number} ${generation} obj\n${source}\nendobj\n`;
    const offset = String(at).padStart(10, '0');
    table.push(`${number} 1\n${offset} ${String(generation).padStart(5, '0')} n \n`);
    parts.push(text);
    at += text.length;
  }
  parts.push(
    `xref\n${table.join('')}trailer\n<</Size ${size} ${root} ${info}/Prev ${previous}>>\nstartxref\n${at}\n%%EOF\n`,
  );
  return new Uint8Array(Buffer.concat([file, Buffer.from(parts.join(''), 'latin1')]));
}

/** Returns the dictionary of a trailer or cross-reference stream; null if this position has none. */
function trailerAt(file: Buffer, at: number): string | null {
  if (
    file
      .toString('latin1', at, at + 32)
      .trimStart()
      .startsWith('xref')
  ) {
    const trailer = file.indexOf('trailer', at);
    return trailer < 0 ? null : until(file.toString('latin1', trailer, trailer + TRAILER_CHARS), 'startxref');
  }
  return until(file.toString('latin1', at, at + TRAILER_CHARS), 'stream');
}

const until = (text: string, word: string): string => {
  const end = text.indexOf(word);
  return end < 0 ? text : text.slice(0, end);
};
