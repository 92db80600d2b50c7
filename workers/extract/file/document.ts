import type { Facts } from '../reading.js';

/** Where a title was found; `null` when the document has none of its own. */
export type TitleSource = 'properties' | 'heading' | 'front-matter' | 'slide' | null;

/** What a reader of one file type gives back, before the text is cleaned, capped and cut into chunks. */
export interface DocumentText {
  text: string;
  title: string | null;
  titleSource: TitleSource;
  /** Counts and notes of this type: pages, sheets, slides, charset. */
  metadata: Facts;
  /** A cap ended the reading before the end of the document. */
  truncated: boolean;
}
