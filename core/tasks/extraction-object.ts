import { timeSlices } from '../fairness/time-slices.js';
import type { Extraction } from './wire.js';
import { isExtractionFrame } from './wire-guards.js';

/** Returns the storage path of an attempt's result. A second run of the same attempt overwrites it. */
export const resultRef = (taskId: string, attempt: number): string => `results/${taskId}/${attempt}`;

/**
 * Encodes an extraction for the storage: one line of JSON with all fields except the text, then the text. The text is
 * not JSON, because parsing megabytes would be slow.
 */
export function encodeExtraction({ text, ...rest }: Extraction): Buffer {
  return Buffer.from(`${JSON.stringify(rest)}\n${text}`);
}

/** Decodes an extraction in time slices. Resolves to null if the object is damaged or not an extraction. */
export async function decodeExtraction(bytes: Buffer): Promise<Extraction | null> {
  const pause = timeSlices();
  const end = bytes.indexOf('\n');
  const frame = parsed(bytes.subarray(0, Math.max(0, end)).toString());
  await pause();
  if (!isExtractionFrame(frame)) return null;
  await pause();
  const extraction = { ...frame, text: bytes.subarray(end + 1).toString() };
  await pause();
  return extraction;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
