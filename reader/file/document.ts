import type { Facts } from '../reading.js';

/** Where the title was found; `null` if the document has none. */
export type TitleSource = 'properties' | 'heading' | 'front-matter' | 'slide' | null;

/** Result of the reader of one file type, before the text is cleaned, capped and divided into chunks. */
export interface DocumentText {
  text: string;
  title: string | null;
  titleSource: TitleSource;
  /** Description in the properties of the file. */
  description?: string;
  /** Facts specific to the type: pages, sheets, slides, charset. */
  metadata: Facts;
  /** True if reading stopped at a limit before the end of the document. */
  truncated: boolean;
  /** Pages of a PDF that may be pictures of text, from 1. */
  scannedPages?: readonly number[];
}
