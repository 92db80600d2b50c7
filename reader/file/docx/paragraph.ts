import { asText } from '../../as-text.js';
import type { RunShift } from '../office/run-shift.js';
import type { Block } from './blocks.js';
import type { Numbering } from './numbering.js';
import type { ListReference, ParagraphStyle } from './styles.js';

/** A paragraph that is being parsed. */
export interface Paragraph extends ListReference {
  text: string;
  styleId: string;
  outline?: number;
  /** True if the paragraph mark was deleted, so that the next paragraph continues this one. */
  markDeleted: boolean;
  /** Text boxes anchored in the paragraph. */
  boxes: Block[];
}

export const newParagraph = (text = ''): Paragraph => ({ text, styleId: '', markDeleted: false, boxes: [] });

export interface Lists {
  findStyle(id: string): ParagraphStyle;
  shiftOfStyle(id: string): RunShift;
  fontOfStyle(id: string): string;
  numbering: Numbering;
}

export interface FinishedParagraph {
  block: Block;
  /** 1 to 9 for headings, 0 for the title of the document. */
  heading: number | undefined;
}

/** Adds the heading marks, or the bullet or number with indentation. */
export function finishParagraph(paragraph: Paragraph, { findStyle, numbering }: Lists): FinishedParagraph {
  const style = findStyle(paragraph.styleId);
  const heading = paragraph.outline ?? style.heading;
  const numId = paragraph.numId ?? style.numId;
  const body = paragraph.text.trim();
  const styleLevel = numId === undefined ? undefined : numbering.levelOfStyle(numId, paragraph.styleId);
  const level = paragraph.level ?? styleLevel ?? style.level ?? 0;
  const mark = numId === undefined || numId === '0' ? null : numbering.next(numId, level);
  // An empty item is not shown, but it is counted.
  if (body === '') return { block: { text: '', tight: false }, heading: undefined };
  if (heading !== undefined) {
    const number = mark === null || /^(?:-(?: \P{N})?)?$/u.test(mark) ? '' : `${mark} `;
    const marks = '#'.repeat(Math.min(Math.max(heading, 1), 6));
    return { block: { text: `${marks} ${number}${body.replace(/\s+/g, ' ')}`, tight: false }, heading };
  }
  if (mark === null) return { block: { text: asText(body), tight: false }, heading };
  const indent = '  '.repeat(Math.min(Math.max(level, 0), 8));
  const text = `${indent}${mark === '' ? '' : `${mark} `}${body.replace(/\n/g, `\n${indent}  `)}`;
  return { block: { text, tight: true }, heading };
}
