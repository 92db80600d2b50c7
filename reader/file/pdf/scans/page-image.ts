import { type Matrix, multiplied } from '../open/matrix.js';
import type { PdfPage } from '../open/open-pdf.js';
import { type Grey, shrunk } from './grey.js';
import { type PlacedPicture, picturesOf } from './page-pictures.js';

/** An image of a page, as a scanner sees it. */
export interface PageImage extends Grey {
  /** Maps pixels to the page. */
  toPage: Matrix;
}

/** Minimum share of the page that its pictures cover. Less is a logo. */
const MIN_COVERED = 0.5;
/** Sides of an image in pixels: recognition needs letters of about 30 pixels, and gains nothing from larger ones. */
const GOOD_SIDE = 2_800;
const MAX_SIDE = 4_200;
/** Letters do not become clearer by more than this. */
const MAX_GROWTH = 2;
/** Decimal digits of a pixel's position between its neighbours, as a power of two. */
const PARTS = 256;

/** Returns an image of a page that consists of pictures; null for any other page. */
export async function pageImage(page: PdfPage): Promise<PageImage | null> {
  const pictures = await picturesOf(page);
  const { width, height } = page.getViewport({ scale: 1 });
  const largest = pictures.reduce<PlacedPicture | null>(
    (best, one) => (best === null || areaOf(one) > areaOf(best) ? one : best),
    null,
  );
  const covered = pictures.reduce((sum, picture) => sum + areaOf(picture), 0);
  if (largest === null || covered < MIN_COVERED * width * height) return null;
  const scale = scaleFor(largest, Math.max(width, height));
  const { width: across, height: down, transform } = page.getViewport({ scale });
  const toImage = transform as unknown as Matrix;
  const image: Grey = { width: Math.ceil(across), height: Math.ceil(down), pixels: new Uint8Array() };
  image.pixels = new Uint8Array(image.width * image.height).fill(255);
  for (const { grey, matrix } of pictures) draw(image, grey, multiplied(toImage, matrix));
  return { ...image, toPage: inverseOf(toImage) };
}

const areaOf = ({ matrix: [a, b, c, d] }: PlacedPicture): number => Math.abs(a * d - b * c);

/** Returns the pixels per point for a page with this longest side: those of its largest picture, within bounds. */
function scaleFor({ grey, matrix: [a, b, c, d] }: PlacedPicture, side: number): number {
  const own = Math.max(grey.width / Math.hypot(a, b), grey.height / Math.hypot(c, d));
  const grown = Math.min(own * MAX_GROWTH, GOOD_SIDE / side);
  return Math.min(Math.max(own, grown), MAX_SIDE / side);
}

function inverseOf([a, b, c, d, e, f]: Matrix): Matrix {
  const area = a * d - b * c;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** Draws a picture, with `matrix` from the unit square to pixels, where it is darker than what is there. */
function draw(image: Grey, picture: Grey, matrix: Matrix): void {
  const [a, b, c, d, e, f] = matrix;
  if (Math.abs(a * d - b * c) < 1) return;
  const side = Math.round(Math.min(picture.width / Math.hypot(a, b), picture.height / Math.hypot(c, d)));
  const source = side > 1 ? shrunk(picture, side) : picture;
  const [ia, ib, ic, id, ie, ig] = inverseOf(matrix);
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  const left = Math.max(0, Math.floor(Math.min(...xs)));
  const right = Math.min(image.width, Math.ceil(Math.max(...xs)));
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(image.height, Math.ceil(Math.max(...ys)));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const u = ia * (x + 0.5) + ic * (y + 0.5) + ie;
      const v = ib * (x + 0.5) + id * (y + 0.5) + ig;
      if (u < 0 || u > 1 || v < 0 || v > 1) continue;
      const at = y * image.width + x;
      const light = lightAt(source, u * source.width - 0.5, (1 - v) * source.height - 0.5);
      if (light < (image.pixels[at] ?? 0)) image.pixels[at] = light;
    }
  }
}

/** Returns the light between the four nearest pixels. */
function lightAt({ width, height, pixels }: Grey, x: number, y: number): number {
  const column = Math.max(0, Math.min(width - 1, Math.floor(x)));
  const row = Math.max(0, Math.min(height - 1, Math.floor(y)));
  const right = Math.min(width - 1, column + 1);
  const below = Math.min(height - 1, row + 1);
  const across = Math.max(0, Math.min(PARTS, ((x - column) * PARTS) | 0));
  const down = Math.max(0, Math.min(PARTS, ((y - row) * PARTS) | 0));
  const upper =
    (pixels[row * width + column] ?? 0) * (PARTS - across) + (pixels[row * width + right] ?? 0) * across;
  const lower =
    (pixels[below * width + column] ?? 0) * (PARTS - across) + (pixels[below * width + right] ?? 0) * across;
  return (upper * (PARTS - down) + lower * down) / (PARTS * PARTS);
}
