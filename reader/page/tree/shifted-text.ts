import { plainShift, type Shift } from '../../shifted-text.js';
import type { Attributes } from './attributes.js';
import { foldBlanks } from './fold-blanks.js';
import { blockTags } from './tag-sets.js';

/** The columns of a page tree that are read here. */
interface Rows {
  tag: readonly string[];
  text: string[];
  attributes: readonly Attributes[];
  parent: readonly number[];
  end: readonly number[];
}

/** Maximum rows of a shifted element, and rows to look at before and after it. */
const MAX_ROWS = 12;
const MAX_ROWS_AROUND = 24;
const MAX_ANCESTORS = 50;
/** Characters before and after a shifted text that decide what it means. */
const MAX_CHARS_AROUND = 24;

/** Class names of decimals that are set smaller than the price. */
const decimals =
  /(?:^|[\s_-])(?:cents?|fractions?|dec(?:imals?)?|sup(?:erscript)?|centimes?|c[eé]ntimos?|centavos?|centesimi|grosze?|rappen|kop(?:eks?|eyki)?)(?:$|[\s_-])/i;
/** Parts of all these names, to skip other names fast. */
const mayBeDecimals = /cen|c[eé]nt|frac|dec|sup|gros|rapp|kop/i;
/** Smaller text above or below the line. */
const offset = /vertical-align\s*:\s*(-?)[\d.]*[1-9]\d*(?:\.\d+)?\s*(?:em|ex|px|pt|rem|%)/i;
const position = /(?:^|[;\s])(top|bottom)\s*:\s*(-?)[\d.]*[1-9]/i;

/** Returns how an element shifts its text; null if it does not. `style` includes the styles of its classes. */
export function shiftOf(name: string, { class: className }: Attributes, style?: string): Shift | null {
  if (name === 'sup') return 'super';
  if (name === 'sub') return 'sub';
  const mayShift = style !== undefined && (style.includes('vertical-align') || style.includes('relative'));
  const styled = mayShift ? shiftOfStyle(style.slice(0, 2000)) : null;
  if (styled !== null) return styled;
  if (name === 'small') return 'cents';
  return className !== undefined && mayBeDecimals.test(className) && decimals.test(className.slice(0, 300))
    ? 'cents'
    : null;
}

function shiftOfStyle(style: string): Shift | null {
  const [, way] = /vertical-align\s*:\s*(super|sub)\b/i.exec(style) ?? [];
  if (way !== undefined) return way.toLowerCase() === 'sub' ? 'sub' : 'super';
  if (!/font-size\s*:\s*(?:[\d.]|small|x)/i.test(style)) return null;
  const [raised, sign] = offset.exec(style) ?? [];
  if (raised !== undefined) return sign === '-' ? 'sub' : 'super';
  if (/vertical-align\s*:\s*(?:text-)?top\b/i.test(style)) return 'cents';
  if (!/position\s*:\s*relative/i.test(style)) return null;
  const [moved, edge, minus] = position.exec(style) ?? [];
  if (moved === undefined) return null;
  return (edge?.toLowerCase() === 'top') === (minus === '-') ? 'super' : 'sub';
}

/** Replaces the text of shifted elements by its plain form. Leaves out links, because they refer to notes. */
export function writeShifts(rows: Rows, shifted: ReadonlyMap<number, Shift>): void {
  for (const [row, shift] of shifted) {
    const end = rows.end[row] ?? row;
    if (end - row > MAX_ROWS || isLink(rows, row, end)) continue;
    const texts: number[] = [];
    let text = '';
    for (let below = row + 1; below < end; below++) {
      if (rows.tag[below] === '') texts.push(below);
      text += rows.text[below] ?? '';
    }
    const [first, ...others] = texts;
    if (first === undefined) continue;
    const block = blockOf(rows, row);
    const before = textBefore(rows, row, block);
    const after = textAfter(rows, end, block);
    if (before.trim() === '' && after.trim() === '') continue;
    const plain = plainShift(shift, text, before, after);
    if (plain === text) continue;
    rows.text[first] = plain;
    for (const other of others) rows.text[other] = '';
  }
}

/** Returns whether the element holds a link, or is all of one. */
function isLink({ tag, parent, end: ends }: Rows, row: number, end: number): boolean {
  for (let below = row; below < end; below++) if (tag[below] === 'a') return true;
  const above = parent[row] ?? 0;
  return tag[above] === 'a' && above === row - 1 && ends[above] === end;
}

const endsLine = (tag = ''): boolean => blockTags.has(tag) || tag === 'br';

/** Returns the nearest block around a row. */
function blockOf({ tag, parent }: Rows, row: number): number {
  let block = parent[row] ?? 0;
  for (let steps = 0; block > 0 && steps < MAX_ANCESTORS && !blockTags.has(tag[block] ?? ''); steps++)
    block = parent[block] ?? 0;
  return block;
}

function textBefore(rows: Rows, row: number, block: number): string {
  let before = '';
  const first = Math.max(block, row - MAX_ROWS_AROUND);
  for (let at = row - 1; at > first && before.length < MAX_CHARS_AROUND; at--) {
    const parent = rows.parent[at] ?? 0;
    if (endsLine(rows.tag[at]) || (parent !== block && endsLine(rows.tag[parent]))) break;
    before = (rows.text[at] ?? '') + before;
  }
  return foldBlanks(before.slice(-2 * MAX_CHARS_AROUND));
}

function textAfter({ tag, text, end: ends }: Rows, end: number, block: number): string {
  let after = '';
  const last = Math.min(ends[block] ?? end, end + MAX_ROWS_AROUND);
  for (let at = end; at < last && after.length < MAX_CHARS_AROUND && !endsLine(tag[at]); at++)
    after += text[at] ?? '';
  return foldBlanks(after.slice(0, 2 * MAX_CHARS_AROUND));
}
