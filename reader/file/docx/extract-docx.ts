import { type Archive, openArchive } from '../archive/archive.js';
import type { DocumentText } from '../document.js';
import type { ExtractLimits } from '../limits.js';
import { readGraphicText } from '../office/graphic-text.js';
import { ignoreDamage, type OfficePackage, openPackage, readCoreProperties } from '../office/package.js';
import { readPart } from '../xml/read-part.js';
import { createAltChunks } from './alt-chunk.js';
import { type Block, joinBlocks } from './blocks.js';
import { createNumbering } from './numbering.js';
import type { Lists } from './paragraph.js';
import { createStoryReader, type Story } from './story-reader.js';
import { createStyleReader } from './styles.js';

/**
 * Extracts a Word document as Markdown-like text, with tracked changes accepted: the main text, notes, and each header
 * and footer once. `depth` is the nesting depth of embedded documents. Rejects with FILE_UNPARSABLE or
 * FILE_TOO_COMPLEX.
 */
export async function extractDocx(archive: Archive, limits: ExtractLimits, depth = 0): Promise<DocumentText> {
  const office = await openPackage(archive, 'word/document.xml', limits);
  const relationships = await office.relationships(office.mainPart);
  const partsOfType = (type: string) =>
    relationships.filter((one) => one.type === type).map((one) => one.target);
  const lists = await readLists(office, partsOfType);

  const noteNumbers = new Map<string, number>();
  const noteMark = (kind: string, id: string): string => {
    const key = `${kind} ${id}`;
    const number = noteNumbers.get(key) ?? noteNumbers.size + 1;
    noteNumbers.set(key, number);
    return `[^${number}]`;
  };
  const readStory = async (part: string): Promise<{ story: Story; cut: boolean }> => {
    const reader = createStoryReader({ lists, noteMark, maxChars: limits.textBytes });
    await readPart(archive, part, reader.handler, limits);
    reader.finish();
    return { story: reader.story, cut: reader.cut() };
  };

  const main = await readStory(office.mainPart);
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  for (const { graphic, block } of main.story.graphics) {
    block.text = await readGraphicText(office, graphic, targets);
  }
  // Reads an embedded document, but only at the first level.
  const readDocx = async (bytes: Uint8Array): Promise<string> =>
    depth > 0 ? '' : (await extractDocx(await openArchive(bytes, limits), limits, depth + 1)).text;
  const chunks = createAltChunks(office, readDocx);
  for (const { id, block } of main.story.chunks) {
    const target = targets.get(id);
    if (target !== undefined) block.text = await chunks.read(target);
  }
  const addComments = async () => {
    for (const part of partsOfType('comments')) {
      const { notes } = (await readStory(part)).story;
      for (const { id, block } of main.story.comments) block.text = notes.get(id) ?? '';
    }
  };
  await ignoreDamage(addComments());
  const blocks: Block[] = [...main.story.blocks];
  const addNotes = async (kind: 'footnote' | 'endnote') => {
    for (const part of partsOfType(`${kind}s`)) {
      const { notes } = (await readStory(part)).story;
      for (const [id, text] of notes) {
        const number = noteNumbers.get(`${kind} ${id}`);
        if (number !== undefined && text !== '') blocks.push({ text: `[^${number}]: ${text}`, tight: false });
      }
    }
  };
  await ignoreDamage(addNotes('footnote'));
  await ignoreDamage(addNotes('endnote'));

  const seen = new Set<string>();
  for (const part of new Set([...partsOfType('header'), ...partsOfType('footer')])) {
    const add = async () => {
      const text = joinBlocks((await readStory(part)).story.blocks);
      if (isRunningText(text) && !seen.has(text)) blocks.push({ text, tight: false });
      seen.add(text);
    };
    await ignoreDamage(add());
  }

  const { title: properties, description } = await readCoreProperties(office);
  const heading = main.story.title || main.story.firstHeading;
  return {
    text: joinBlocks(blocks),
    title: heading || properties || null,
    titleSource: heading ? 'heading' : properties ? 'properties' : null,
    description,
    metadata: {},
    truncated: main.cut || chunks.cut(),
  };
}

async function readLists(office: OfficePackage, partsOfType: (type: string) => string[]): Promise<Lists> {
  const styles = createStyleReader();
  const numbering = createNumbering();
  for (const part of partsOfType('styles')) {
    await ignoreDamage(readPart(office.archive, part, styles.handler, office.limits));
  }
  for (const part of partsOfType('numbering')) {
    await ignoreDamage(readPart(office.archive, part, numbering.handler, office.limits));
  }
  return { findStyle: styles.find, shiftOfStyle: styles.shiftOf, fontOfStyle: styles.fontOf, numbering };
}

/** Returns false for headers and footers that contain only a page number. */
const isRunningText = (text: string): boolean =>
  /\p{L}{2}/u.test(text.replace(/^\p{L}+\s*\d+(\s*\p{L}+\s*\d+)?$/u, ''));
