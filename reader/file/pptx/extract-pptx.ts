import { asText } from '../../as-text.js';
import type { Archive } from '../archive/archive.js';
import type { DocumentText } from '../document.js';
import type { ExtractLimits } from '../limits.js';
import { readGraphicText } from '../office/graphic-text.js';
import {
  ignoreDamage,
  type OfficePackage,
  openPackage,
  type Relationship,
  readCoreProperties,
} from '../office/package.js';
import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { readAuthors, readComments } from './comments.js';
import { createSlideReader } from './slide-reader.js';

const titles = new Set(['title', 'ctrTitle']);
/** Placeholders that repeat on every slide. */
const running = new Set(['dt', 'sldNum', 'ftr', 'hdr', 'sldImg']);

interface SlideText {
  title: string;
  text: string;
}

/**
 * Extracts all slides in order, with tables, charts, notes and comments. Rejects with FILE_UNPARSABLE or
 * FILE_TOO_COMPLEX.
 */
export async function extractPptx(archive: Archive, limits: ExtractLimits): Promise<DocumentText> {
  const office = await openPackage(archive, 'ppt/presentation.xml', limits);
  const parts = await readSlideOrder(office);
  const authors = await readAuthors(office);
  const footers = new Set<string>();
  const texts: string[] = [];
  let firstTitle = '';
  let chars = 0;
  let truncated = parts.length > limits.slides;
  for (const [i, part] of parts.slice(0, limits.slides).entries()) {
    const { title, text } = await readSlide(office, part, i + 1, footers, authors);
    firstTitle ||= title;
    if (text === '') continue;
    texts.push(text);
    chars += text.length;
    if (chars > limits.textBytes) {
      truncated = true;
      break;
    }
  }
  const { title: properties, description } = await readCoreProperties(office);
  const sensible = /^((powerpoint )?presentation|slide 1)?$/i.test(properties.trim()) ? '' : properties;
  return {
    text: texts.join('\n\n'),
    title: firstTitle || sensible || null,
    titleSource: firstTitle ? 'slide' : sensible ? 'properties' : null,
    description,
    metadata: { slides: parts.length },
    truncated,
  };
}

async function readSlideOrder(office: OfficePackage): Promise<string[]> {
  const targets = new Map<string, string>();
  for (const { id, target, type } of await office.relationships(office.mainPart)) {
    if (type === 'slide') targets.set(id, target);
  }
  const parts: string[] = [];
  const open = (name: string, attributes: XmlAttributes) => {
    const target = name === 'p:sldId' ? targets.get(attributes.get('r:id') ?? '') : undefined;
    if (target !== undefined) parts.push(target);
  };
  await readPart(office.archive, office.mainPart, { open }, office.limits);
  return parts;
}

async function readSlide(
  office: OfficePackage,
  part: string,
  number: number,
  footers: Set<string>,
  authors: ReadonlyMap<string, string>,
): Promise<SlideText> {
  const { handler, slide } = createSlideReader();
  await readPart(office.archive, part, handler, office.limits);
  const relationships = await office.relationships(part);
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const title = slide.shapes.find((shape) => titles.has(shape.placeholder));
  const blocks: string[] = [];
  for (const shape of slide.shapes) {
    if (shape === title) continue;
    if (running.has(shape.placeholder)) {
      if (shape.placeholder !== 'ftr' || footers.has(shape.text)) continue;
      footers.add(shape.text);
    }
    blocks.push(asText(shape.text));
    if (shape.graphic) blocks.push(await readGraphicText(office, shape.graphic, targets));
  }
  const notes = await readNotes(office, relationships);
  if (notes !== '') blocks.push(asText(`Notes: ${notes}`));
  blocks.push(...(await readComments(office, relationships, authors)).map(asText));
  const filled = blocks.filter((block) => block !== '');
  const heading = title?.text.replace(/\s+/g, ' ') ?? '';
  if (heading === '' && filled.length === 0) return { title: '', text: '' };
  const mark = slide.hidden ? ' (hidden)' : '';
  return { title: heading, text: [`## ${heading || `Slide ${number}`}${mark}`, ...filled].join('\n\n') };
}

async function readNotes(office: OfficePackage, relationships: readonly Relationship[]): Promise<string> {
  const part = relationships.find(({ type }) => type === 'notesSlide')?.target;
  if (part === undefined) return '';
  const { handler, slide } = createSlideReader();
  await ignoreDamage(readPart(office.archive, part, handler, office.limits));
  return slide.shapes
    .filter((shape) => !running.has(shape.placeholder))
    .map((shape) => shape.text)
    .join('\n');
}
