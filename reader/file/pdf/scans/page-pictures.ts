import { getResolvedPDFJS } from 'unpdf';
import { identity, type Matrix, multiplied } from '../open/matrix.js';
import type { PdfPage } from '../open/open-pdf.js';
import { type Grey, greyOf, type Stencil, stencilOf } from './grey.js';

/** A picture on a page. */
export interface PlacedPicture {
  grey: Grey;
  /** Maps the unit square to the page. */
  matrix: Matrix;
}

/** A scanner writes a page as a few strips. A page with more pictures is a drawing. */
const MAX_PICTURES = 200;
/** Pixels of all pictures of a page. A page of 210 by 297 mm has 35 million at 600 dots per inch. */
const MAX_PIXELS = 72_000_000;
/** A fill at least this bright paints no letters on a white page. */
const BRIGHT = 0.75;

/** Returns the pictures of a page in drawing order. */
export async function picturesOf(page: PdfPage): Promise<PlacedPicture[]> {
  const { OPS } = await getResolvedPDFJS();
  const pictures: PlacedPicture[] = [];
  const outer: { matrix: Matrix; isBright: boolean }[] = [];
  let state = { matrix: identity, isBright: false };
  // Pictures are kept only for the public list, so the memory watch limits a hostile page.
  const { fnArray, argsArray } = await page.getOperatorList();
  for (const [i, operation] of fnArray.entries()) {
    const values: unknown = argsArray[i];
    const first: unknown = Array.isArray(values) ? values[0] : undefined;
    if (operation === OPS.save) outer.push(state);
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) state = outer.pop() ?? state;
    else if (operation === OPS.transform) state = { ...state, matrix: multiplied(state.matrix, values) };
    else if (operation === OPS.paintFormXObjectBegin) {
      outer.push(state);
      state = { ...state, matrix: multiplied(state.matrix, first) };
    } else if (operation === OPS.setFillRGBColor) state = { ...state, isBright: isBright(first) };
    else if (operation === OPS.paintImageXObject || operation === OPS.paintInlineImageXObject) {
      const grey = greyOf(await resolved(page, first));
      if (grey) pictures.push({ grey, matrix: state.matrix });
    } else if (operation === OPS.paintImageMaskXObject && !state.isBright) {
      const grey = stencilOf(await stencil(page, first));
      if (grey) pictures.push({ grey, matrix: state.matrix });
    }
    const pixels = pictures.reduce((sum, { grey }) => sum + grey.pixels.length, 0);
    if (pictures.length > MAX_PICTURES || pixels > MAX_PIXELS) return [];
  }
  return pictures;
}

interface Objects {
  get(name: string, use: (value: unknown) => void): unknown;
}

/** Returns a picture by its name, or the picture itself if it was drawn inline. */
function resolved(page: PdfPage, picture: unknown): Promise<unknown> {
  if (typeof picture !== 'string') return Promise.resolve(picture);
  const objects: Objects = picture.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(picture, resolve));
}

async function stencil(page: PdfPage, picture: unknown): Promise<Stencil | null> {
  if (typeof picture !== 'object' || picture === null) return null;
  const { data } = picture as { data?: unknown };
  return typeof data === 'string' ? ((await resolved(page, data)) as Stencil | null) : (picture as Stencil);
}

/** Returns whether a colour of pdf.js (`#rrggbb`) is nearly white. */
function isBright(colour: unknown): boolean {
  if (typeof colour !== 'string') return false;
  const parts = colour.match(/[0-9a-f]{2}/gi) ?? [];
  const sum = parts.reduce((total, part) => total + Number.parseInt(part, 16), 0);
  return parts.length === 3 && sum >= 3 * 255 * BRIGHT;
}
