/** Types of pictures that browsers show without running anything. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

export interface PictureFacts {
  type: PictureType;
  /** Pixels. */
  width: number;
  height: number;
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
/** Bytes that hold the size in the first chunk of every form of WebP. */
const WEBP_HEAD = 30;

/** Reads type and size from the bytes of a picture. Returns null for anything else. */
export function pictureFacts(bytes: Buffer): PictureFacts | null {
  const facts = pngFacts(bytes) ?? webpFacts(bytes) ?? jpegFacts(bytes);
  return facts && facts.width > 0 && facts.height > 0 ? facts : null;
}

function pngFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.length < PNG.length + 8 || !bytes.subarray(0, PNG.length).equals(PNG)) return null;
  return {
    type: 'image/png',
    width: bytes.readUInt32BE(PNG.length),
    height: bytes.readUInt32BE(PNG.length + 4),
  };
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function webpFacts(bytes: Buffer): PictureFacts | null {
  const tag = (at: number): string => bytes.toString('latin1', at, at + 4);
  if (bytes.length < WEBP_HEAD || tag(0) !== 'RIFF' || tag(8) !== 'WEBP') return null;
  const type = 'image/webp';
  if (tag(12) === 'VP8X')
    return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (tag(12) === 'VP8L' && bytes[20] === 0x2f) {
    const sizes = bytes.readUInt32LE(21);
    return { type, width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
  }
  if (tag(12) === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return null;
}

/** Markers of frames (SOF0 to SOF15), without those for tables (DHT, JPG, DAC), which lie among them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Finds the frame among the segments before the first scan. */
function jpegFacts(bytes: Buffer): PictureFacts | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
