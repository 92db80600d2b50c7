import { diffArrays } from 'diff';
import { limits } from '../../schemas/limits.js';

/** A line that was added (`+`) or removed (`-`). */
export interface LineChange {
  op: '+' | '-';
  text: string;
}

export interface LineChanges {
  /** Numbers of lines. Blank lines do not count. */
  added: number;
  removed: number;
  /** The lines, in order, as far as they fit into the limit. */
  diff: LineChange[];
}

/** Texts that differ in more lines are not aligned: the work grows with the square of this number. */
const MOST_EDITS = 200;

export function lineChanges(before: string, after: string): LineChanges {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const all = aligned(old, fresh) ?? [...unmatched(old, fresh, '-'), ...unmatched(fresh, old, '+')];
  const added = all.filter(({ op }) => op === '+').length;
  return { added, removed: all.length - added, diff: shortened(all) };
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

const changes = (lines: string[], op: LineChange['op']): LineChange[] => lines.map((text) => ({ op, text }));

/** Returns undefined if the texts differ too much. */
const aligned = (old: string[], fresh: string[]): LineChange[] | undefined =>
  diffArrays(old, fresh, { maxEditLength: MOST_EDITS })?.flatMap(({ added, removed, value }) =>
    added || removed ? changes(value, added ? '+' : '-') : [],
  );

/** Returns the lines that are not among the others, or occur more often. */
function unmatched(lines: string[], others: string[], op: LineChange['op']): LineChange[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  const found = lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
  return changes(found, op);
}

function shortened(all: LineChange[]): LineChange[] {
  const diff: LineChange[] = [];
  let left: number = limits.pageChanges.diffBytes;
  for (const { op, text } of all) {
    const bytes = Buffer.from(text);
    const shown = bytes.length <= left ? text : firstBytes(bytes, left);
    if (shown !== '') diff.push({ op, text: shown });
    left -= bytes.length;
    if (left <= 0) break;
  }
  return diff;
}

/** Returns the whole characters in the first bytes of a text. */
const firstBytes = (text: Buffer, bytes: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(0, bytes), { stream: true });
