import { actualTextOf, NOTHING } from '../repair/actual-text.js';
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
  let isAfterReplaced = false;
  for (const item of items) {
    if ('str' in item) {
      // pdf.js takes some marks for glyphs without width, and puts a blank without width after them.
      const isInReplaced = open.some((text) => text !== null);
      if (item.str === ' ' && item.width < NO_WIDTH && (isInReplaced || isAfterReplaced)) continue;
      if (!isInReplaced) isAfterReplaced = false;
      if (open.every((text) => text === null))
        texts.push(clusters.length === 0 ? item : { ...item, str: withClusters(item.str, clusters) });
      else replaced.push(item);
    } else if (item.type === 'endMarkedContent') {
      const text = open.pop() ?? null;
      if (text === null || open.some((outer) => outer !== null)) continue;
      // An empty replacement removes hyphens and ornaments, and no words.
      if (text === NOTHING) texts.push(...replaced.filter(({ str }) => /[\p{L}\p{N}]/u.test(str)));
      else if (text !== '') {
        texts.push(...withText(replaced, text, texts.at(-1)));
        isAfterReplaced = true;
      }
      replaced = [];
    } else open.push(item.tag === HIDDEN ? '' : actualTextOf(item.tag));
  }
  return [...texts, ...replaced];
}

/** Greatest width of a blank that pdf.js has added, in points. */
const NO_WIDTH = 0.05;

/** Zero-width non-joiner and joiner, which words of Persian contain and which are drawn as glyphs without width. */
const joiner = /^[\u200c\u200d]$/;

/** Keeps blanks before the first glyph and after the last. `before` is the item before. */
function withText(items: readonly TextItem[], text: string, before: TextItem | undefined): TextItem[] {
  const isGlyph = ({ str }: TextItem) => str.trim() !== '';
  const from = items.findIndex(isGlyph);
  const to = items.findLastIndex(isGlyph);
  const [first, last] = [items[from], items[to]];
  if (first === undefined || last === undefined)
    return joiner.test(text) && before?.hasEOL === false ? [atEndOf(before, text)] : [...items];
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = first.transform;
  const scale = Math.hypot(a, b) || 1;
  // Glyphs of right-to-left scripts are drawn from either side.
  let start = 0;
  let end = 0;
  for (const { transform, width } of items.filter(isGlyph)) {
    const at = (((transform[4] ?? 0) - x) * a + ((transform[5] ?? 0) - y) * b) / scale;
    start = Math.min(start, at);
    end = Math.max(end, at + width);
  }
  const whole = {
    ...first,
    str: text,
    width: end - start,
    transform: [a, b, c, d, x + (a * start) / scale, y + (b * start) / scale],
    hasEOL: last.hasEOL,
  };
  return [...items.slice(0, from), whole, ...items.slice(to + 1)];
}

/** Share of the letter height by which a joiner begins before the next letter, so that it is read between the two. */
const BEFORE_NEXT = 0.01;

/** Returns an item without width at the end of another one. */
function atEndOf(item: TextItem, str: string): TextItem {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform;
  const scale = Math.hypot(a, b);
  const distance = scale === 0 ? 0 : item.width / scale - BEFORE_NEXT;
  return { ...item, str, width: 0, transform: [a, b, c, d, x + a * distance, y + b * distance] };
}
