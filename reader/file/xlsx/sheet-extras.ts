import { readGraphicText } from '../office/graphic-text.js';
import { ignoreDamage, type OfficePackage } from '../office/package.js';
import { createSlideReader } from '../pptx/slide-reader.js';
import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';

/** Maximum notes per sheet. */
const MAX_NOTES = 10_000;

/** Reads the texts and charts of the sheet's drawing, then the cell notes. */
export async function readSheetExtras(office: OfficePackage, sheet: string): Promise<string[]> {
  const relationships = await office.relationships(sheet);
  const blocks: string[] = [];
  for (const { type, target } of relationships) {
    if (type === 'drawing') blocks.push(...(await readDrawing(office, target)));
  }
  for (const { type, target } of relationships) {
    if (type === 'comments') blocks.push(await readNotes(office, target));
  }
  return blocks.filter((block) => block !== '');
}

async function readDrawing(office: OfficePackage, part: string): Promise<string[]> {
  const { handler, slide } = createSlideReader();
  await ignoreDamage(readPart(office.archive, part, handler, office.limits));
  const targets = new Map((await office.relationships(part)).map(({ id, target }) => [id, target]));
  const blocks: string[] = [];
  for (const { text, graphic } of slide.shapes) {
    blocks.push(text);
    if (graphic) blocks.push(await readGraphicText(office, graphic, targets));
  }
  return blocks;
}

/** Returns a line per note, for example `Note on B4: text`. */
async function readNotes(office: OfficePackage, part: string): Promise<string> {
  const lines: string[] = [];
  let cell = '';
  let line = '';
  let collecting = false;
  const handler = {
    open(name: string, attributes: XmlAttributes) {
      if (name === 's:comment') {
        cell = attributes.get('ref') ?? '';
        line = '';
      }
      if (name === 's:t') collecting = true;
    },
    close(name: string) {
      if (name === 's:t') collecting = false;
      if (name !== 's:comment') return;
      const text = line.replace(/\s+/g, ' ').trim();
      if (text !== '') lines.push(`Note on ${cell}: ${text}`);
    },
    text(text: string) {
      if (collecting) line += text;
    },
    done: () => lines.length >= MAX_NOTES,
  };
  await ignoreDamage(readPart(office.archive, part, handler, office.limits));
  return lines.join('\n');
}
