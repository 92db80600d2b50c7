/**
 * Computes the unpacked length of old filters (ISO 32000-1, 7.4.4 and 7.4.5) without unpacking. Counting stops at
 * `maxBytes`, so that hostile data does not cost more.
 */

const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const MAX_CODE = 4095;

export function lzwLength(data: Uint8Array, maxBytes: number): number {
  const lengths = new Uint16Array(MAX_CODE + 1);
  let total = 0;
  let next = FIRST_FREE;
  let width = 9;
  let previous = 0;
  let bits = 0;
  let held = 0;
  for (const byte of data) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    held &= (1 << bits) - 1;
    if (code === END || total > maxBytes) break;
    if (code === CLEAR) {
      next = FIRST_FREE;
      width = 9;
      previous = 0;
      continue;
    }
    const length = code < CLEAR ? 1 : code < next ? (lengths[code] ?? 1) : previous + 1;
    total += length;
    if (previous > 0 && next <= MAX_CODE) lengths[next++] = previous + 1;
    previous = length;
    if (next + 1 >= 1 << width && width < 12) width++;
  }
  return total;
}

export function runLengthLength(data: Uint8Array, maxBytes: number): number {
  let total = 0;
  for (let at = 0; at < data.length && total <= maxBytes; ) {
    const control = data[at] ?? 128;
    if (control === 128) break;
    total += control < 128 ? control + 1 : 257 - control;
    at += control < 128 ? control + 2 : 2;
  }
  return total;
}
