import { toMarkdown } from '../../page/markdown/markdown.js';
import { normaliseText } from '../../page/normalise-text.js';
import { parsePage } from '../../page/tree/parse-page.js';
import { ignoreDamage, type OfficePackage } from '../office/package.js';
import { decodeText } from '../text/decode-text.js';
import { pageInArchive } from './web-archive.js';

/** Maximum packed size of an embedded part. */
const CHUNK_BYTES = 8 * 1024 * 1024;

export interface AltChunks {
  /** Returns the text of an embedded part in another format: HTML, a web archive, plain text or a whole docx. */
  read(part: string): Promise<string>;
  /** Returns true if parts were left out because the text limit was reached. */
  cut(): boolean;
}

/** Reads an embedded Word document. Resolves to an empty text if it is nested too deep. */
type ReadDocx = (bytes: Uint8Array) => Promise<string>;

/** Reads each part once, regardless of the number of references, and limits the total text. */
export function createAltChunks(office: OfficePackage, readDocx: ReadDocx): AltChunks {
  const texts = new Map<string, string>();
  let left = office.limits.textBytes;
  let cut = false;

  async function textOf(part: string): Promise<string> {
    let text = '';
    const read = async () => {
      const bytes = await office.archive.read(part, CHUNK_BYTES);
      if (bytes !== null) text = await chunkText(part.toLowerCase(), bytes, readDocx);
    };
    await ignoreDamage(read());
    return text;
  }

  return {
    async read(part) {
      if (left <= 0) {
        cut = true;
        return '';
      }
      const text = texts.get(part) ?? (await textOf(part));
      texts.set(part, text);
      // Empty parts count too, so that their number is limited.
      left -= text.length + 1;
      return text;
    },
    cut: () => cut,
  };
}

async function chunkText(part: string, bytes: Uint8Array, readDocx: ReadDocx): Promise<string> {
  if (/\.(docx|docm|dotx)$/.test(part)) return readDocx(bytes);
  if (/\.mht(?:ml)?$/.test(part)) {
    const page = pageInArchive(bytes);
    return page === null ? '' : chunkText('page.html', page, readDocx);
  }
  if (/\.x?html?$/.test(part)) {
    const tree = parsePage(decodeText(bytes).text);
    return normaliseText(toMarkdown(tree, [0], new Uint8Array(tree.tag.length)));
  }
  if (part.endsWith('.txt')) return decodeText(bytes).text;
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  if (/^\s*(?:mime-version|from|content-type)\s*:/i.test(start))
    return chunkText('page.mht', bytes, readDocx);
  return /^\s*<(?:!doctype html|html)\b/i.test(start) ? chunkText('page.html', bytes, readDocx) : '';
}
