import { actualTextOf } from '../repair/actual-text.js';
import { HIDDEN } from '../repair/layers.js';
import { withClusters } from '../repair/unicode-maps.js';
import type { TextItem } from './text-lines.js';

/** An item of pdf.js: a piece of text, or the beginning or end of a part of the content. */
export type ContentItem = TextItem | { type: string; tag?: unknown };

/**
 * Returns the pieces of text; those of a part with a replacement text become one piece with this text, and those of a
 * hidden layer are left out.
 */
export function textItems(items: readonly ContentItem[], clusters: readonly string[]): TextItem[] {
  const texts: TextItem[] = [];
  /** Open parts, from the outermost: the replacement text, empty for a hidden part, or null. */
  const open: (string | null)[] = [];
  let replaced: TextItem[] = [];
  for (const item of items) {
    if ('str' in item) {
      if (open.every((text) => text === null))
        texts.push(clusters.length === 0 ? item : { ...item, str: withClusters(item.str, clusters) });
      else replaced.push(item);
    } else if (item.type === 'endMarkedContent') {
      const text = open.pop() ?? null;
      if (text === null || open.some((outer) => outer !== null)) continue;
      if (text !== '') texts.push(...withText(replaced, text));
      replaced = [];
    } else open.push(item.tag === HIDDEN ? '' : actualTextOf(item.tag));
  }
  return [...texts, ...replaced];
}

/** Keeps blanks before the first glyph and after the last. */
function withText(items: readonly TextItem[], text: string): TextItem[] {
  const isGlyph = ({ str }: TextItem) => str.trim() !== '';
  const from = items.findIndex(isGlyph);
  const to = items.findLastIndex(isGlyph);
  const [first, last] = [items[from], items[to]];
  if (first === undefined || last === undefined) return [...items];
  const distance = Math.hypot(
    (last.transform[4] ?? 0) - (first.transform[4] ?? 0),
    (last.transform[5] ?? 0) - (first.transform[5] ?? 0),
  );
  const whole = { ...first, str: text, width: distance + last.width, hasEOL: last.hasEOL };
  return [...items.slice(0, from), whole, ...items.slice(to + 1)];
}
