import { capText } from '../cap-text.js';
import { cleanText, tidyBlanks } from '../clean-text.js';
import { ExtractError } from '../extract-error.js';
import { type MarkdownText, readMarkdown } from '../markdown-text.js';
import type { FileInput, FileKind } from '../reading.js';
import type { DocumentText } from './document.js';
import { type Container, hasPdfHeader, isEncryptedOffice, kindOfName, sniffContainer } from './file-kind.js';
import type { ExtractLimits } from './limits.js';
import { decodeText } from './text/decode-text.js';

/**
 * Extracts the text of a file of a verified type, cleaned and capped. Rejects with ExtractError. Parsers are loaded on
 * demand, so that reading a text file does not load the PDF parser.
 */
export async function extractDocument(
  { bytes, fileName, recognised }: FileInput,
  limits: ExtractLimits,
): Promise<Omit<DocumentText, 'description'> & { kind: FileKind }> {
  if (bytes.length === 0) throw new ExtractError('FILE_EMPTY');
  const kind = kindOfName(fileName);
  const document = await read(bytes, kind, limits, recognised);
  const clean = cleanText(withDescription(document));
  const capped = capText(kind === 'md' || kind === 'txt' ? clean : tidyBlanks(clean), limits.textBytes);
  if (!/[^\s\p{P}\p{C}]/u.test(capped.text))
    throw new ExtractError('EMPTY_TEXT', undefined, document.scannedPages);
  const { description: _, ...facts } = document;
  return {
    ...facts,
    kind,
    text: capped.text,
    title: document.title === null ? null : cleanTitle(document.title),
    truncated: document.truncated || capped.isCut,
  };
}

/** A shorter description in the properties of a file is a keyword. */
const MIN_DESCRIPTION_CHARS = 20;
const MAX_DESCRIPTION_CHARS = 1_000;

/** Puts the author's description before the text, unless the text contains it. */
function withDescription({ text, description = '' }: DocumentText): string {
  const said = cleanText(description.slice(0, MAX_DESCRIPTION_CHARS)).replace(/\s+/g, ' ').trim();
  const isSentence = said.length >= MIN_DESCRIPTION_CHARS && said.split(' ').length >= 3;
  const isMark = /^(?:generated|created|produced|exported|converted) (?:by|with|from|using)\b/i.test(said);
  return !isSentence || isMark || text.includes(said) ? text : `${said}\n\n${text}`;
}

const TITLE_CHARS = 200;

/** Returns one line of limited length; null if it is empty. */
function cleanTitle(title: string): string | null {
  const line = cleanText(title.slice(0, 4 * TITLE_CHARS))
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : [...line].slice(0, TITLE_CHARS).join('').trim();
}

/** Maximum bytes to read per byte of stored text: UTF-16 takes two bytes per letter. */
const PLAIN_BYTES = 2;

/** Containers whose signatures a text file cannot have. */
const neverText = new Set<Container>(['pdf', 'zip', 'cfb', 'rtf']);

async function read(
  bytes: Uint8Array,
  kind: FileKind,
  limits: ExtractLimits,
  recognised: FileInput['recognised'],
): Promise<DocumentText> {
  const container = sniffContainer(bytes);
  switch (kind) {
    case 'md':
    case 'txt':
      if (neverText.has(container)) throw new ExtractError('FILE_TYPE_MISMATCH');
      return readPlain(bytes, kind, limits);
    case 'pdf':
      if (hasPdfHeader(bytes))
        return (await import('./pdf/extract-pdf.js')).extractPdf(bytes, limits, recognised);
      throw new ExtractError(container === 'unknown' ? 'FILE_UNPARSABLE' : 'FILE_TYPE_MISMATCH');
    default:
      return readOffice(bytes, kind, limits);
  }
}

function readPlain(bytes: Uint8Array, kind: 'md' | 'txt', limits: ExtractLimits): DocumentText {
  const truncated = bytes.length > PLAIN_BYTES * limits.textBytes;
  const { text, charset } = decodeText(bytes.subarray(0, PLAIN_BYTES * limits.textBytes));
  const plain = { text, title: null, titleSource: null, metadata: { charset }, truncated };
  return kind === 'md' ? { ...plain, ...titled(readMarkdown(cleanText(text))) } : plain;
}

/** Files are listed by their names, so a title in front matter becomes a heading of the text. */
const titled = (markdown: MarkdownText): MarkdownText =>
  markdown.titleSource === 'front-matter' &&
  markdown.text.trim() !== '' &&
  !markdown.text.includes(markdown.title ?? '')
    ? { ...markdown, text: `# ${markdown.title}\n\n${markdown.text.replace(/^\n+/, '')}` }
    : markdown;

const readers = {
  docx: async () => (await import('./docx/extract-docx.js')).extractDocx,
  xlsx: async () => (await import('./xlsx/extract-xlsx.js')).extractXlsx,
  pptx: async () => (await import('./pptx/extract-pptx.js')).extractPptx,
};

async function readOffice(
  bytes: Uint8Array,
  kind: 'docx' | 'xlsx' | 'pptx',
  limits: ExtractLimits,
): Promise<DocumentText> {
  const container = sniffContainer(bytes);
  if (container === 'cfb') {
    throw isEncryptedOffice(bytes)
      ? new ExtractError('FILE_ENCRYPTED')
      : new ExtractError(
          'FILE_TYPE_MISMATCH',
          'The file is in the old Office format. Save it in the current one (.docx, .xlsx, .pptx), then upload it again.',
        );
  }
  if (container !== 'zip') throw new ExtractError('FILE_TYPE_MISMATCH');
  const [{ openArchive }, { officeKindOf }] = await Promise.all([
    import('./archive/archive.js'),
    import('./office/office-kind.js'),
  ]);
  const archive = await openArchive(bytes, limits);
  if ((await officeKindOf(archive, limits)) !== kind) throw new ExtractError('FILE_TYPE_MISMATCH');
  return (await readers[kind]())(archive, limits);
}
