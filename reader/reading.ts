import type { ExtractErrorCode } from './extract-error.js';
import type { TextItem } from './file/pdf/lines/text-lines.js';

export type PageKind = 'html' | 'text' | 'markdown' | 'transcript';
export type FileKind = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'md' | 'txt';

/** Facts about a text, by the names that the API uses for sources: charset, pages, byline and others. */
export type Facts = Record<string, string | number | boolean | null>;

/** Content of a page, a file or a caption track. */
interface Content<Kind> {
  title: string | null;
  /** Markdown-like text that is safe to store: NFC, \n newlines, no control characters. Never empty. */
  text: string;
  kind: Kind;
  facts: Facts;
  /** True if the text is incomplete, because reading stopped at a limit or a part was unreadable. */
  isCut: boolean;
  /** True if the text replaces the content of a page: a check for robots, a gate, a notice of maintenance, an error. */
  isInterstitial?: boolean;
}

/**
 * Result of a reading. Expected failures are values, because an exception would lose its code when it leaves a thread.
 */
export type Reading<Kind = PageKind | FileKind> = (
  | { ok: true; content: Content<Kind> }
  /** `sentence` may be more detailed than the code. */
  | { ok: false; code: ExtractErrorCode; sentence?: string }
) & {
  /** Pages of a PDF that may be pictures of text, from 1: `recognisePage` reads them. */
  scannedPages?: readonly number[];
};

export const refused = (code: ExtractErrorCode, sentence?: string): Reading<never> =>
  sentence === undefined ? { ok: false, code } : { ok: false, code, sentence };

export interface PageInput {
  bytes: Uint8Array;
  contentType: string | null;
  /** URL after redirects. */
  url: string;
}

export interface FileInput {
  bytes: Uint8Array;
  fileName: string;
  /** Results of `recognisePage`. */
  recognised?: readonly RecognisedPage[];
}

/** What was recognised on a page of a PDF. */
export interface RecognisedPage {
  /** Number of the page, from 1. */
  page: number;
  items: readonly TextItem[];
  /** True if the page, or more than a tenth of it, shows text that could not be recognised. */
  isPartial: boolean;
}

export interface TranscriptInput extends PageInput {
  /** Title of the page that offers the captions. */
  title: string | null;
}

export interface CaptionTrack {
  url: string;
  language: string | null;
  label: string | null;
  /** True if the captions were made by speech recognition. */
  automatic: boolean;
}
