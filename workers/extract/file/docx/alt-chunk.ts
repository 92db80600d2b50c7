import { toMarkdown } from '../../page/markdown.js';
import { normaliseText } from '../../page/normalise-text.js';
import { parsePage } from '../../page/parse-page.js';
import { type OfficePackage, orNothing } from '../office/package.js';
import { decodeText } from '../text/decode-text.js';

/** The largest packed part that is read. */
const CHUNK_BYTES = 8 * 1024 * 1024;

export interface AltChunks {
  /** Text of a part of another format that stands for a stretch of the document: HTML, plain text or a whole docx. */
  read(part: string): Promise<string>;
  /** Some were left out, as the document holds no more. */
  cut(): boolean;
}

/** Text of a packed Word document; empty for one that is not looked into. */
type ReadDocx = (bytes: Uint8Array) => Promise<string>;

/** Each part is read once, however often the document names it; all that is given out is bounded. */
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

async function chunkText(part: string, bytes: Uint8Array, readDocx: ReadDocx): Promise<string> {
  if (/\.(docx|docm|dotx)$/.test(part)) return readDocx(bytes);
  if (/\.x?html?$/.test(part)) {
    const tree = parsePage(decodeText(bytes).text);
    return normaliseText(toMarkdown(tree, [0], new Uint8Array(tree.tag.length)));
  }
  return part.endsWith('.txt') ? decodeText(bytes).text : '';
}
