/** Decoded data. `read` is the number of input bytes up to the end-of-data mark. */
export interface Decoded {
  bytes: Buffer;
  read: number;
}

const TILDE = 0x7e;
const LETTER_Z = 0x7a;
const FIRST = 0x21;
const LAST = 0x75;

/** ASCIIHexDecode (ISO 32000-1, 7.4.2), up to `>`. */
export function decodeHex(data: Buffer): Decoded {
  const end = data.indexOf('>');
  const read = end < 0 ? data.length : end;
  return { bytes: Buffer.from(data.toString('latin1', 0, read).replace(/[^\da-fA-F]+/g, ''), 'hex'), read };
}

/** ASCII85Decode (ISO 32000-1, 7.4.3), up to `~`. */
export function decodeAscii85(data: Buffer): Decoded {
  const end = data.indexOf(TILDE);
  const read = end < 0 ? data.length : end;
  const zeros = countOf(data, LETTER_Z, read);
  const bytes = Buffer.allocUnsafe(Math.ceil((read * 4) / 5) + 4 * zeros + 8);
  let length = 0;
  let value = 0;
  let digits = 0;
  for (let at = 0; at < read; at++) {
    const code = data[at] ?? 0;
    if (code === LETTER_Z && digits === 0) length = bytes.writeUInt32BE(0, length);
    else if (code >= FIRST && code <= LAST) {
      value = value * 85 + (code - FIRST);
      if (++digits < 5) continue;
      length = bytes.writeUInt32BE(value % 2 ** 32, length);
      value = 0;
      digits = 0;
    }
  }
  if (digits > 1) {
    for (let missing = digits; missing < 5; missing++) value = value * 85 + 84;
    bytes.writeUInt32BE(value % 2 ** 32, length);
    length += digits - 1;
  }
  return { bytes: bytes.subarray(0, length), read };
}

function countOf(data: Buffer, wanted: number, end: number): number {
  let count = 0;
  for (let at = data.indexOf(wanted); at >= 0 && at < end; at = data.indexOf(wanted, at + 1)) count++;
  return count;
}
