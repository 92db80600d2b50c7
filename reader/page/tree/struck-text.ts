import type { Attributes } from './attributes.js';
import { blockTags } from './tag-sets.js';

/** The columns of a page tree that are read here. */
interface Rows {
  tag: readonly string[];
  text: string[];
}

/** A longer struck part is a version of the page, which is left as it is. */
const MAX_ROWS = 100;
const tags: ReadonlySet<string> = new Set(['s', 'strike', 'del']);
/** Class names of struck text, and of prices that no longer hold. */
const names =
  /(?:^|[\s_-])(?:line-?through|strike-?(?:through|out|d)?|struck(?:-?out)?|crossed(?:-?out)?|(?:old|was|previous|compare(?:-?at)?|strike|crossed)[_-]?price|price[_-]+(?:old|was|previous|compare(?:-?at)?|strike|crossed))(?:$|[\s_-])/i;

/** Parts of all these names, to skip other names fast. */
const mayStrike = /thr|str|crossed|price/i;

/** Returns whether an element strikes out its text. `style` includes the styles of its classes. */
export function isStruck(name: string, { class: className }: Attributes, style: string | undefined): boolean {
  if (tags.has(name)) return true;
  if (
    style?.includes('line-through') === true &&
    /text-decoration[^;]*line-through/i.test(style.slice(0, 2000))
  )
    return true;
  return className !== undefined && mayStrike.test(className) && names.test(className.slice(0, 300));
}

/** Marks the texts of a struck element with `~~`, as Markdown does. */
export function writeStruck({ tag, text }: Rows, row: number, end: number): void {
  if (end - row > MAX_ROWS) return;
  const texts: number[] = [];
  let holdsBlocks = false;
  for (let at = row + 1; at < end; at++) {
    if (tag[at] === '' ? (text[at] ?? '').trim() !== '' : false) texts.push(at);
    else if (at > row && blockTags.has(tag[at] ?? '')) holdsBlocks = true;
  }
  const first = texts[0];
  const last = texts.at(-1);
  if (first === undefined || last === undefined || texts.some((at) => text[at]?.includes('~~'))) return;
  const mark = (from: number, to: number) => {
    text[from] = (text[from] ?? '').replace(/^(\s*)/, '$1~~');
    text[to] = (text[to] ?? '').replace(/(\s*)$/, '~~$1');
  };
  if (holdsBlocks) for (const at of texts) mark(at, at);
  else mark(first, last);
}
