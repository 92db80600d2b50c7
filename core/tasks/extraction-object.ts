import { timeSlices } from '../fairness/time-slices.js';
import type { Extraction } from './wire.js';
import { isExtractionFrame } from './wire-guards.js';

/** Storage path of an attempt's result. A second run of the attempt overwrites it. */
export const resultRef = (taskId: string, attempt: number): string => `results/${taskId}/${attempt}`;

/**
 * Encodes an extraction for the storage: one line of JSON (all but the text), a newline, the text. The text may be
 * megabytes and is not parsed as JSON.
 */
export function encodeExtraction({ text, ...rest }: Extraction): Buffer {
  return Buffer.from(`${JSON.stringify(rest)}\n${text}`);
}

/** Decodes an extraction in slices of the event loop. Null if the object is damaged or no extraction. */
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
