/** A picture in shades of grey, one byte per pixel from 0 (black) to 255 (white), in rows from the top. */
export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A picture as pdf.js decodes it: one bit per pixel in rows of whole bytes, or three or four bytes per pixel. */
interface Decoded {
  width: number;
  height: number;
  kind: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** A picture that is painted in one colour where its bit is 0. */
export type Stencil = Pick<Decoded, 'width' | 'height' | 'data'>;

const BITS = 1;
const RGB = 2;
const RGBA = 3;

/** Returns null for a picture that could not be decoded. */
export function greyOf(picture: unknown): Grey | null {
  if (!isDecoded(picture)) return null;
  const { width, height, kind, data } = picture;
  if (kind === BITS) return stencilOf(picture);
  const step = kind === RGB ? 3 : kind === RGBA ? 4 : 0;
  if (step === 0 || data.length < step * width * height) return null;
  const pixels = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < pixels.length; at++, from += step) {
    const light = (77 * (data[from] ?? 0) + 150 * (data[from + 1] ?? 0) + 29 * (data[from + 2] ?? 0)) >> 8;
    // A transparent pixel shows the white page.
    pixels[at] = step === 3 ? light : 255 - (((255 - light) * (data[from + 3] ?? 255)) >> 8);
  }
  return { width, height, pixels };
}

/** Returns a stencil as black on white. */
export function stencilOf(stencil: Stencil | null): Grey | null {
  if (stencil === null || !isPacked(stencil)) return null;
  const { width, height, data } = stencil;
  const rowBytes = (width + 7) >> 3;
  const pixels = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (((data[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) pixels[at] = 255;
    }
  }
  return { width, height, pixels };
}

const isDecoded = (value: unknown): value is Decoded =>
  typeof value === 'object' &&
  value !== null &&
  'data' in value &&
  (value.data instanceof Uint8Array || value.data instanceof Uint8ClampedArray) &&
  'width' in value &&
  'height' in value &&
  Number(value.width) > 0 &&
  Number(value.height) > 0;

const isPacked = ({ width, height, data }: Stencil): boolean =>
  width > 0 && height > 0 && ArrayBuffer.isView(data) && data.length >= ((width + 7) >> 3) * height;

/** Returns a picture whose pixels are the averages of squares with this side. */
export function shrunk({ width, height, pixels }: Grey, side: number): Grey {
  const small = {
    width: Math.max(1, Math.floor(width / side)),
    height: Math.max(1, Math.floor(height / side)),
  };
  const result = new Uint8Array(small.width * small.height);
  for (let y = 0, at = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++, at++) {
      let sum = 0;
      for (let row = 0; row < side; row++) {
        const from = (y * side + row) * width + x * side;
        for (let i = 0; i < side; i++) sum += pixels[from + i] ?? 255;
      }
      result[at] = sum / (side * side);
    }
  }
  return { ...small, pixels: result };
}

/** Returns the picture turned clockwise by a number of quarter turns. */
export function turned({ width, height, pixels }: Grey, quarters: number): Grey {
  const isUpright = quarters % 2 === 0;
  const result: Grey = {
    width: isUpright ? width : height,
    height: isUpright ? height : width,
    pixels: new Uint8Array(pixels.length),
  };
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const [column, row] = placeAfterTurns(x, y, width, height, quarters);
      result.pixels[row * result.width + column] = pixels[at] ?? 255;
    }
  }
  return result;
}

function placeAfterTurns(x: number, y: number, width: number, height: number, quarters: number) {
  switch (quarters % 4) {
    case 1:
      return [height - 1 - y, x] as const;
    case 2:
      return [width - 1 - x, height - 1 - y] as const;
    case 3:
      return [y, width - 1 - x] as const;
    default:
      return [x, y] as const;
  }
}
