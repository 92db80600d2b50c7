import type { TextLine } from '../lines/text-lines.js';
import { remarks } from '../open/annotation-kinds.js';
import { STAMP } from '../repair/stamps.js';

/** The fields of pdf.js annotations that are used here. */
interface Annotation {
  subtype?: unknown;
  annotationFlags?: unknown;
  rect?: unknown;
  fieldType?: unknown;
  fieldValue?: unknown;
  buttonValue?: unknown;
  exportValue?: unknown;
  options?: unknown;
  checkBox?: unknown;
  radioButton?: unknown;
  password?: unknown;
  contentsObj?: unknown;
  richText?: unknown;
  /** Lines of text in the appearance. */
  textContent?: unknown;
  titleObj?: unknown;
  inReplyTo?: unknown;
}

/** Flags of annotations that no viewer shows (ISO 32000-1, table 165): hidden, no view. */
const NOT_SHOWN = 2 | 32;
/** Maximum values per page. No form has more. */
const MAX_FIELDS = 2_000;

/** Text over the page: the value of a form field or a text note. */
export interface Field {
  text: string;
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Returns the visible texts of filled-in fields and text notes. */
export function fieldsOf(annotations: readonly Annotation[]): Field[] {
  const fields: Field[] = [];
  for (const annotation of annotations) {
    if (fields.length >= MAX_FIELDS) break;
    const [left, bottom, right, top] = Array.isArray(annotation.rect) ? annotation.rect.map(Number) : [];
    const isShown = (Number(annotation.annotationFlags) & NOT_SHOWN) === 0;
    const text = isShown ? shownText(annotation).trim() : '';
    if (text === '' || left === undefined || bottom === undefined || right === undefined || top === undefined)
      continue;
    fields.push({ text, left, bottom, right, top });
  }
  return fields;
}

function shownText(annotation: Annotation): string {
  if (annotation.subtype === 'FreeText') return isDrawnStamp(annotation) ? '' : textOf(annotation);
  if (annotation.subtype !== 'Widget' || annotation.password === true) return '';
  const values = [annotation.fieldValue].flat().filter((value) => typeof value === 'string');
  if (annotation.fieldType === 'Tx') return values.join('\n');
  if (annotation.fieldType === 'Ch')
    return values.map((value) => optionText(annotation.options, value)).join(', ');
  const on =
    annotation.checkBox === true
      ? annotation.exportValue
      : annotation.radioButton === true
        ? annotation.buttonValue
        : undefined;
  return typeof on === 'string' && values.includes(on) ? '☑' : '';
}

const textOf = ({ contentsObj, richText }: Annotation): string =>
  stringIn(contentsObj, 'str').trim() || stringIn(richText, 'str');

const isDrawnStamp = ({ subtype, contentsObj }: Annotation): boolean =>
  subtype === 'FreeText' && stringIn(contentsObj, 'str').startsWith(STAMP);

/** Returns what a stamp shows, or else its name. */
function drawnText({ contentsObj, textContent }: Annotation): string {
  const lines: unknown[] = Array.isArray(textContent) ? textContent : [];
  const drawn = lines
    .filter((line) => typeof line === 'string')
    .join(' ')
    .trim();
  // Without an appearance, pdf.js draws the text itself.
  return (drawn || stringIn(contentsObj, 'str')).replace(STAMP, '');
}

/** Returns the label of a choice, which stores its export value. */
function optionText(options: unknown, value: string): string {
  const chosen = Array.isArray(options)
    ? options.find((option) => stringIn(option, 'exportValue') === value)
    : undefined;
  return stringIn(chosen, 'displayValue') || value;
}

const stringIn = (holder: unknown, key: string): string => {
  const value: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
  return typeof value === 'string' ? value : '';
};

/** Returns the notes, stamps and comments on a page, such as `Note by Ada: text`. */
export function remarksOf(annotations: readonly Annotation[]): string[] {
  const found: string[] = [];
  for (const annotation of annotations.slice(0, MAX_FIELDS)) {
    const isDrawn = isDrawnStamp(annotation);
    const kind = isDrawn ? 'Stamp' : remarks[String(annotation.subtype)];
    const isShown = (Number(annotation.annotationFlags) & NOT_SHOWN) === 0;
    const text = (isDrawn ? drawnText(annotation) : textOf(annotation)).trim();
    if (kind === undefined || !isShown || text === '') continue;
    const author = stringIn(annotation.titleObj, 'str').trim();
    const name = annotation.inReplyTo === undefined || annotation.inReplyTo === null ? kind : 'Reply';
    found.push(`${name}${author === '' ? '' : ` by ${author}`}: ${text}`);
  }
  return found;
}

/** Appends each field to the text on its left, or else inserts it below the last line above it. */
export function placeFields(lines: readonly TextLine[], fields: readonly Field[]): TextLine[] {
  const placed = [...lines];
  for (const field of fields) {
    const line = lineOf(field);
    const beside = labelOf(placed, field);
    const label = placed[beside];
    if (label) placed[beside] = { ...label, text: `${label.text} ${line.text}`, end: line.end };
    else
      placed.splice(
        placed.findLastIndex((other) => other.turn === 0 && other.v > field.top) + 1 || placed.length,
        0,
        line,
      );
  }
  return placed;
}

/** Returns the index of the nearest line on the left at the same height, or -1. */
function labelOf(lines: readonly TextLine[], field: Field): number {
  let nearest = -1;
  for (const [i, line] of lines.entries()) {
    const isBeside =
      line.turn === 0 &&
      line.v > field.bottom - line.size &&
      line.v < field.top &&
      line.end <= field.left + line.size;
    if (isBeside && line.end > (lines[nearest]?.end ?? Number.NEGATIVE_INFINITY)) nearest = i;
  }
  return nearest;
}

const lineOf = ({ text, left, bottom, right, top }: Field): TextLine => ({
  text,
  start: left,
  end: right,
  v: (top + bottom) / 2,
  size: Math.min(Math.max(top - bottom, 1), 12),
  turn: 0,
  tabular: true,
  font: '',
  cells: [],
});
