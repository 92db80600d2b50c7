import { ExtractError } from '../../extract-error.js';
import type { RecognisedPage } from '../../reading.js';
import type { DocumentText } from '../document.js';
import type { ExtractLimits } from '../limits.js';
import { lacksLetters, rangesOf, unreadablePages } from './lines/legible.js';
import { linesInReadingOrder } from './lines/line-order.js';
import { type ContentItem, textItems } from './lines/replaced-text.js';
import { linesOf, type TextItem, type TextLine } from './lines/text-lines.js';
import { openPdf, type Pdf, type PdfPage } from './open/open-pdf.js';
import { guardStreams } from './open/stream-guard.js';
import { createRepairs } from './repair/repairs.js';
import { fieldsOf, placeFields, remarksOf } from './structure/fields.js';
import { writePages } from './structure/page-texts.js';
import type { PageLines } from './structure/running-heads.js';
import { mayHaveTable } from './tables/may-have-table.js';
import { dividersOf, gridsByTurn, withRuledTables } from './tables/ruled-tables.js';
import { rulesOf } from './tables/rules.js';
import { withTables } from './tables/tables.js';

/** After this many consecutive unreadable pages, reading stops: the page tree is probably fake. */
const MAX_BROKEN_PAGES = 20;

const MAX_TITLE_CHARS = 1_000;

/** Maximum lines in memory. Headings and running heads are detected within a batch of this size. */
const MAX_LINES = 200_000;

/** A page with fewer letters may be a scan with a stamp. */
const MIN_LETTERS = 40;

/**
 * Extracts the text of a PDF, with blank lines between pages. A page in `recognised` has the text that was recognised on
 * it. Rejects with FILE_ENCRYPTED, FILE_UNPARSABLE or FILE_TOO_COMPLEX.
 */
export async function extractPdf(
  bytes: Uint8Array,
  limits: ExtractLimits,
  recognised: readonly RecognisedPage[] = [],
): Promise<DocumentText> {
  const repairs = createRepairs();
  const { mayHaveFields, hasPictures } = guardStreams(bytes, limits, repairs);
  const repaired = repairs.apply(bytes);
  const pdf = await openPdf(repaired.bytes);
  try {
    if (pdf.numPages > limits.pdfPagesClaimed) {
      throw new ExtractError(
        'FILE_TOO_COMPLEX',
        'The file has more pages than we process. Split it into smaller files.',
      );
    }
    const pages = new Map(recognised.map((page) => [page.page, page]));
    const { texts, truncated } = await readPages(pdf, limits, { ...repaired, mayHaveFields, pages });
    const unreadable = unreadablePages(texts);
    const named = texts.flatMap((text, page) =>
      unreadable.includes(page + 1) || lacksLetters(text) || pages.get(page + 1)?.isPartial ? [page + 1] : [],
    );
    const scanned = texts.flatMap((text, page) =>
      hasPictures && !pages.has(page + 1) && lettersOf(text) < MIN_LETTERS ? [page + 1] : [],
    );
    const read = recognised
      .filter(({ items }) => items.length > 0)
      .map(({ page }) => page)
      .sort((one, other) => one - other);
    const { title, description } = await readInfo(pdf);
    return {
      text: texts.filter((text, page) => text !== '' && !unreadable.includes(page + 1)).join('\n\n'),
      title,
      titleSource: title === null ? null : 'properties',
      description,
      metadata: {
        pages: pdf.numPages,
        ...(named.length === 0 ? {} : { unreadablePages: rangesOf(named) }),
        ...(read.length === 0 ? {} : { recognisedPages: rangesOf(read) }),
      },
      truncated: truncated || named.length > 0,
      scannedPages: scanned,
    };
  } finally {
    await pdf.destroy();
  }
}

/** Parts of a document that are read only if it may have them. */
interface SpecialParts {
  mayHaveFields: boolean;
  hasTags: boolean;
  clusters: readonly string[];
  /** What was recognised, by page. */
  pages: ReadonlyMap<number, RecognisedPage>;
}

async function readPages(
  pdf: Pdf,
  limits: ExtractLimits,
  parts: SpecialParts,
): Promise<{ texts: string[]; truncated: boolean }> {
  const texts: string[] = [];
  let held: PageLines[] = [];
  let lines = 0;
  const write = () => {
    texts.push(...writePages(held));
    held = [];
    lines = 0;
  };
  const last = Math.min(pdf.numPages, limits.pdfPages);
  let truncated = pdf.numPages > last;
  let chars = 0;
  let broken = 0;
  for (let number = 1; number <= last; number++) {
    const page = await readPage(pdf, number, limits.pdfPageChars, parts);
    if (page === null) {
      truncated = true;
      held.push({ lines: [], bottom: 0, top: 0 });
      if (++broken < MAX_BROKEN_PAGES && broken < last) continue;
      if (chars === 0) throw new ExtractError('FILE_UNPARSABLE');
      break;
    }
    broken = 0;
    held.push(page);
    lines += page.lines.length;
    chars += page.lines.reduce((sum, { text }) => sum + text.length, 0);
    truncated ||= page.truncated;
    if (lines > MAX_LINES) write();
    if (chars > limits.textBytes && number < last) {
      truncated = true;
      break;
    }
  }
  write();
  return { texts, truncated };
}

/** Returns null if the page cannot be read. */
async function readPage(
  pdf: Pdf,
  number: number,
  maxChars: number,
  { mayHaveFields, hasTags, clusters, pages }: SpecialParts,
): Promise<(PageLines & { truncated: boolean }) | null> {
  try {
    const page = await pdf.getPage(number);
    const reader = page
      .streamTextContent({ disableNormalization: true, includeMarkedContent: hasTags })
      .getReader();
    const content: ContentItem[] = [];
    let chars = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        content.push(item);
        chars += 'str' in item ? item.str.length + 1 : 1;
      }
      if (chars > maxChars) {
        await reader.cancel(new Error('page too long'));
        break;
      }
    }
    const items = moreOf(textItems(content, clusters), pages.get(number)?.items ?? []);
    const annotations = mayHaveFields ? await page.getAnnotations().catch(() => null) : [];
    const lines = placeFields(
      linesInReadingOrder(await linesAndTables(page, items)),
      fieldsOf(annotations ?? []),
    );
    page.cleanup();
    const [, bottom = 0, , top = 0] = page.view;
    const remarks = remarksOf(annotations ?? []);
    return { lines, bottom, top, remarks, truncated: chars > maxChars || annotations === null };
  } catch {
    return null;
  }
}

/** Returns the pieces with more letters: a scan may have a stamp or a page number as its own text. */
const moreOf = (own: TextItem[], recognised: readonly TextItem[]): readonly TextItem[] =>
  textLength(recognised) > textLength(own) ? recognised : own;

const textLength = (items: readonly TextItem[]): number =>
  items.reduce((sum, { str }) => sum + lettersOf(str), 0);

const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** Reads drawn lines only if the page may have a table, because this takes as long as reading the text. */
async function linesAndTables(page: PdfPage, items: readonly TextItem[]): Promise<readonly TextLine[]> {
  const lines = linesOf(items);
  if (!mayHaveTable(lines)) return withTables(lines);
  const rules = await rulesOf(page).catch(() => ({ across: [], upright: [] }));
  const grids = gridsByTurn(rules, lines);
  return withTables(withRuledTables(linesOf(items, dividersOf(grids)), grids));
}

/** Returns the author's title, unless it is the name of a source file or a program's default, and the subject. */
async function readInfo(pdf: Pdf): Promise<{ title: string | null; description: string }> {
  try {
    const { info } = await pdf.getMetadata();
    const textOf = (key: string): string => {
      const stored: unknown = (info as Record<string, unknown>)[key];
      return typeof stored === 'string' ? stored.slice(0, MAX_TITLE_CHARS) : '';
    };
    const title = textOf('Title');
    const isFileName = /\.(docx?|xlsx?|pptx?|pdf|tex|dvi|indd|qxd|html?|rtf|odt|txt|ps|md)$/i.test(
      title.trim(),
    );
    const isDefault =
      /^(untitled|title|microsoft (word|powerpoint|excel)\b.*|slide 1|document ?\d*|\(anonymous\)|none)?$/i;
    const isTitle = !isFileName && !isDefault.test(title.trim()) && title.trim().length >= 3;
    return { title: isTitle ? title : null, description: textOf('Subject') };
  } catch {
    return { title: null, description: '' };
  }
}
