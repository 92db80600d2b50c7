import { type Matrix, multiplied } from './file/pdf/open/matrix.js';
import { openPdf } from './file/pdf/open/open-pdf.js';
import { type Grey, turned } from './file/pdf/scans/grey.js';
import { type PageImage, pageImage } from './file/pdf/scans/page-image.js';
import {
  confidenceOf,
  isSure,
  itemsOf,
  MIN_CONFIDENCE,
  type RecognisedLine,
} from './file/pdf/scans/recognised-lines.js';
import type { RecognisedPage } from './reading.js';

/** Recognises the text of an image, in lines from the top. */
export type RecogniseText = (image: Grey) => Promise<readonly RecognisedLine[]>;

export type { Grey, RecognisedLine };

/** Maximum pixels of a picture: a page of 210 by 297 mm at 600 dots per inch. */
const MAX_PIXELS = 36_000_000;
/** Fewer letters on an unreadable page are patterns of a photograph. */
const MIN_LETTERS = 100;
/** Lines that are not sure are left out. A page that lacks more than a tenth of its letters counts as incomplete. */
const MIN_SURE = 0.9;
/** Quarter turns in which an image is tried. */
const turns = [0, 1, 3, 2] as const;

/** Recognises the text of one page that consists of pictures. Rejects with ExtractError if the file cannot be opened. */
export async function recognisePage(
  bytes: Uint8Array,
  number: number,
  recognise: RecogniseText,
): Promise<RecognisedPage> {
  const pdf = await openPdf(bytes, MAX_PIXELS);
  try {
    const image = await pageImage(await pdf.getPage(number));
    return { page: number, ...(image ? await recogniseImage(image, recognise) : nothing) };
  } finally {
    await pdf.destroy();
  }
}

const nothing = { items: [], isPartial: false };

/** Tries the other turns only if the text is not recognised upright. */
async function recogniseImage(
  image: PageImage,
  recognise: RecogniseText,
): Promise<Omit<RecognisedPage, 'page'>> {
  let letters = 0;
  for (const quarters of turns) {
    const lines = await recognise(quarters === 0 ? image : turned(image, quarters));
    if (confidenceOf(lines) >= MIN_CONFIDENCE) {
      const sure = lines.filter(isSure);
      const items = itemsOf(sure, multiplied(image.toPage, beforeTurn(image, quarters)));
      return { items, isPartial: lettersOf(sure) < MIN_SURE * lettersOf(lines) };
    }
    letters = Math.max(letters, lettersOf(lines));
    if (letters === 0) break;
  }
  return { items: [], isPartial: letters >= MIN_LETTERS };
}

const lettersOf = (lines: readonly RecognisedLine[]): number =>
  lines.reduce((sum, { words }) => sum + words.reduce((all, { text }) => all + text.length, 0), 0);

/** Returns the matrix from the pixels of a turned image to those of the image. */
function beforeTurn({ width, height }: Grey, quarters: number): Matrix {
  switch (quarters) {
    case 1:
      return [0, -1, 1, 0, 0, height];
    case 2:
      return [-1, 0, 0, -1, width, height];
    case 3:
      return [0, 1, -1, 0, width, 0];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}
