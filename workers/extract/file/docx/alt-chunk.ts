import { parsePage } from '../../page/html-tree.js';
import { toMarkdown } from '../../page/markdown.js';
import { normaliseText } from '../../page/normalise-text.js';
import { openArchive } from '../archive/archive.js';
import { type OfficePackage, orNothing } from '../office/package.js';
import { decodeText } from '../text/decode-text.js';
import { extractDocx } from './extract-docx.js';

/** Packed documents within a document; one within another is not looked into. */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Text of a part of another format that stands for a stretch of the document: HTML, plain text or a whole docx. */
export async function readAltChunk(office: OfficePackage, part: string, depth: number): Promise<string> {
  let text = '';
  const read = async () => {
    const bytes = await office.archive.read(part, CHUNK_BYTES);
    if (bytes !== null) text = await chunkText(office, part.toLowerCase(), bytes, depth);
  };
  await orNothing(read());
  return text;
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
