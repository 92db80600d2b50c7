import { MAX_TEXT_BYTES } from '../cap-text.js';

const MiB = 1024 * 1024;

/** Limits for one file. Sizes are bytes actually read or inflated, never sizes that the file declares. */
export interface ExtractLimits {
  /** UTF-8 bytes of the stored text. The rest is cut off, with a note. */
  textBytes: number;
  archiveEntries: number;
  /** Inflated bytes of one archive entry, and of all entries. */
  entryBytes: number;
  archiveBytes: number;
  /**
   * Maximum inflation ratio, checked once an archive entry, or all streams of a PDF, exceed `ratioFromBytes`.
   */
  inflateRatio: number;
  ratioFromBytes: number;
  xmlDepth: number;
  /** Characters of one XML tag, comment or declaration. */
  xmlTokenLength: number;
  /** Pages to read. The rest is cut off, with a note. */
  pdfPages: number;
  /** Maximum declared pages. A PDF with more is refused, because the time to find a page grows with their number. */
  pdfPagesClaimed: number;
  /** Inflated bytes of one PDF stream, and of all streams. Pictures do not count. */
  pdfStreamBytes: number;
  pdfBytes: number;
  /** Characters of one PDF page. No printed page has more. */
  pdfPageChars: number;
  sheetRows: number;
  /** Cells with a value in the whole workbook. */
  workbookCells: number;
  sharedStringChars: number;
  slides: number;
}

export const defaultLimits: ExtractLimits = {
  textBytes: MAX_TEXT_BYTES,
  archiveEntries: 10_000,
  entryBytes: 384 * MiB,
  archiveBytes: 512 * MiB,
  inflateRatio: 200,
  ratioFromBytes: 8 * MiB,
  xmlDepth: 400,
  xmlTokenLength: 2 * MiB,
  pdfPages: 2_000,
  pdfPagesClaimed: 20_000,
  pdfStreamBytes: 64 * MiB,
  pdfBytes: 512 * MiB,
  pdfPageChars: MiB,
  sheetRows: 200_000,
  workbookCells: 2_000_000,
  sharedStringChars: 64 * MiB,
  slides: 5_000,
};
