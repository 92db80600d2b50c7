import { toMarkdown } from '../../page/markdown.js';
import { normaliseText } from '../../page/normalise-text.js';
import { parsePage } from '../../page/parse-page.js';
import { openArchive } from '../archive/archive.js';
import { type OfficePackage, orNothing } from '../office/package.js';
import { decodeText } from '../text/decode-text.js';
import { extractDocx } from './extract-docx.js';

/** Packed documents within a document; one within another is not looked into. */
const CHUNK_BYTES = 8 * 1024 * 1024;

export interface AltChunks {
  /** Text of a part of another format that stands for a stretch of the document: HTML, plain text or a whole docx. */
  read(part: string): Promise<string>;
  /** Some were left out, as the document holds no more. */
  cut(): boolean;
}

/** Each part is read once, however often the document names it; all that is given out is bounded. */
export function createAltChunks(office: OfficePackage, depth: number): AltChunks {
  const texts = new Map<string, string>();
  let left = office.limits.textBytes;
  let cut = false;

  async function textOf(part: string): Promise<string> {
    let text = '';
    const read = async () => {
      const bytes = await office.archive.read(part, CHUNK_BYTES);
      if (bytes !== null) text = await chunkText(office, part.toLowerCase(), bytes, depth);
    };
    await orNothing(read());
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
      // An empty part costs something, too.
      left -= text.length + 1;
      return text;
    },
    cut: () => cut,
  };
}

async function chunkText(
  office: OfficePackage,
  part: string,
  bytes: Uint8Array,
  depth: number,
): Promise<string> {
  if (/\.(docx|docm|dotx)$/.test(part)) {
    if (depth > 0) return '';
    return (await extractDocx(await openArchive(bytes, office.limits), office.limits, depth + 1)).text;
  }
  if (/\.x?html?$/.test(part)) {
    const tree = parsePage(decodeText(bytes).text);
    return normaliseText(toMarkdown(tree, [0], new Uint8Array(tree.tag.length)));
  }
  return part.endsWith('.txt') ? decodeText(bytes).text : '';
}
