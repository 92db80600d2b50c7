import { type RunShift, shiftOfAlign } from '../office/run-shift.js';
import type { XmlAttributes } from '../xml/attributes.js';
import type { XmlHandler } from '../xml/xml-reader.js';

export interface ListReference {
  numId?: string;
  level?: number;
}

export interface ParagraphStyle extends ListReference {
  /** 1 to 9 for headings, 0 for the title of the document. */
  heading?: number;
}

interface StyleDefinition extends ParagraphStyle {
  basedOn?: string;
  name: string;
  shift?: RunShift;
  font?: string;
}

/** Maximum length of a chain of parent styles. */
const MAX_STYLE_DEPTH = 64;

/** Collects the styles. `find` resolves a paragraph style together with its parents. */
export function createStyleReader(): {
  handler: XmlHandler;
  find(id: string): ParagraphStyle;
  /** Returns the shift of a character style. */
  shiftOf(id: string): RunShift;
  /** Returns the font of a character style; '' if it has none. */
  fontOf(id: string): string;
} {
  const styles = new Map<string, StyleDefinition>();
  let current: StyleDefinition | undefined;

  function open(name: string, attributes: XmlAttributes): void {
    if (name === 'w:style') {
      current = { name: '' };
      styles.set(attributes.get('w:styleId') ?? '', current);
      return;
    }
    if (!current) return;
    const value = attributes.get('w:val') ?? '';
    if (name === 'w:name') current.name = value.toLowerCase();
    else if (name === 'w:basedOn') current.basedOn = value;
    else if (name === 'w:outlineLvl') current.heading = headingOfOutline(value);
    else if (name === 'w:vertAlign') current.shift = shiftOfAlign(value);
    else if (name === 'w:rFonts') current.font = attributes.get('w:ascii') ?? attributes.get('w:hAnsi') ?? '';
    else if (name === 'w:numId') current.numId = value;
    else if (name === 'w:ilvl') current.level = Number(value);
  }

  const known = new Map<string, ParagraphStyle>();

  function find(id: string): ParagraphStyle {
    const style = known.get(id) ?? inherit(id);
    known.set(id, style);
    return style;
  }

  function inherit(id: string): ParagraphStyle {
    const found: ParagraphStyle = {};
    const seen = new Set<string>();
    for (
      let next: string | undefined = id;
      next !== undefined && !seen.has(next) && seen.size < MAX_STYLE_DEPTH;
    ) {
      seen.add(next);
      const style = styles.get(next);
      const heading = style?.heading ?? headingOfStyleName(style?.name ?? next.toLowerCase());
      if (found.heading === undefined && heading !== undefined) found.heading = heading;
      if (found.numId === undefined && style?.numId !== undefined) found.numId = style.numId;
      if (found.level === undefined && style?.level !== undefined) found.level = style.level;
      next = style?.basedOn;
    }
    return found;
  }

  const close = (name: string) => {
    if (name === 'w:style') current = undefined;
  };
  const shiftOf = (id: string) => styles.get(id)?.shift ?? null;
  const fontOf = (id: string) => styles.get(id)?.font ?? '';
  return { handler: { open, close }, find, shiftOf, fontOf };
}

/** Returns the heading rank of an outline level: levels 0 to 8 are headings, 9 is body text. */
export function headingOfOutline(value: string): number | undefined {
  const level = Number(value);
  return value !== '' && level >= 0 && level < 9 ? level + 1 : undefined;
}

function headingOfStyleName(name: string): number | undefined {
  if (name === 'title') return 0;
  const level = /^heading ?([1-9])$/.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}
