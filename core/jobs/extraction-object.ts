import type { Extraction } from './wire.js';

/** Where the result of an attempt waits. The same attempt done twice writes over it. */
export const resultRef = (taskId: string, attempt: number): string => `results/${taskId}/${attempt}`;

/** A claim-checked extraction: one line of JSON (all but the text), a newline, the text. Spares parsing megabytes of JSON. */
export function encodeExtraction({ text, ...rest }: Extraction): Buffer {
  return Buffer.from(`${JSON.stringify(rest)}\n${text}`);
}

/** The other way. Throws when the object is not one of ours. */
export function decodeExtraction(bytes: Buffer): Extraction {
  const end = bytes.indexOf('\n');
  const rest = JSON.parse(bytes.subarray(0, end).toString()) as Omit<Extraction, 'text'>;
  return { ...rest, text: bytes.subarray(end + 1).toString() };
}
