/** Unsigned 32-bit integers as varints: 7 bits per byte, least significant first; the high bit marks continuation. */

export interface ByteWriter {
  bytes: Uint8Array;
  at: number;
}

export interface ByteReader {
  bytes: Uint8Array;
  at: number;
}

const LONGEST = 5;

export const byteWriter = (size: number): ByteWriter => ({ bytes: new Uint8Array(size), at: 0 });

export function writeNumber(writer: ByteWriter, value: number): void {
  if (writer.at + LONGEST > writer.bytes.length) grow(writer, LONGEST);
  let rest = value;
  while (rest > 0x7f) {
    writer.bytes[writer.at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  writer.bytes[writer.at++] = rest;
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  if (writer.at + bytes.length > writer.bytes.length) grow(writer, bytes.length);
  writer.bytes.set(bytes, writer.at);
  writer.at += bytes.length;
}

function grow(writer: ByteWriter, by: number): void {
  const larger = new Uint8Array(Math.max(writer.bytes.length * 2, writer.at + by));
  larger.set(writer.bytes.subarray(0, writer.at));
  writer.bytes = larger;
}

/** Returns a copy of the bytes written so far. */
export const written = ({ bytes, at }: ByteWriter): Uint8Array => bytes.slice(0, at);

/** Reads the next number; past the end, it reads zeros. Compare `at` with the length if the data may be damaged. */
export function readNumber(reader: ByteReader): number {
  const { bytes } = reader;
  let byte = bytes[reader.at++] ?? 0;
  let value = byte & 0x7f;
  for (let shift = 7; byte > 0x7f && shift < 35; shift += 7) {
    byte = bytes[reader.at++] ?? 0;
    value |= (byte & 0x7f) << shift;
  }
  return value >>> 0;
}
