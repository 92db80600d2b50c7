import type { XmlAttributes } from '../xml/attributes.js';
import type { XmlHandler } from '../xml/xml-reader.js';

interface Level {
  format: string;
  /** `%1.%2` stands for the counters of levels 1 and 2. */
  pattern: string;
  start: number;
  style?: string;
}

interface ListInstance {
  abstractId: string;
  starts: Map<number, number>;
}

export interface Numbering {
  handler: XmlHandler;
  /** Counts one more item; what stands before it: `-`, `1.`, `2.1`, or nothing. null when there is no such list. */
  next(numId: string, level: number): string | null;
  /** Level at which a list numbers the paragraphs of this style. */
  levelOfStyle(numId: string, styleId: string): number | undefined;
}

const DEEPEST = 8;

/** Reads numbering.xml and keeps the counters of all lists. */
export function createNumbering(): Numbering {
  const levels = new Map<string, Map<number, Level>>();
  const lists = new Map<string, ListInstance>();
  const counters = new Map<string, (number | undefined)[]>();
  const started = new Set<string>();
  let abstract: Map<number, Level> | undefined;
  let list: ListInstance | undefined;
  let level: Level | undefined;
  let override = 0;

  function open(name: string, attributes: XmlAttributes): void {
    const value = attributes.get('w:val') ?? '';
    if (name === 'w:abstractNum') {
      abstract = new Map();
      levels.set(attributes.get('w:abstractNumId') ?? '', abstract);
    } else if (name === 'w:num') {
      abstract = undefined;
      list = { abstractId: '', starts: new Map() };
      lists.set(attributes.get('w:numId') ?? '', list);
    } else if (name === 'w:abstractNumId' && list) list.abstractId = value;
    else if (name === 'w:lvlOverride') override = Number(attributes.get('w:ilvl') ?? 0);
    else if (name === 'w:startOverride') list?.starts.set(override, Number(value));
    else if (name === 'w:lvl') {
      level = { format: 'decimal', pattern: '', start: 1 };
      abstract?.set(Number(attributes.get('w:ilvl') ?? 0), level);
    } else if (level) {
      if (name === 'w:numFmt') level.format = value;
      else if (name === 'w:lvlText') level.pattern = value;
      else if (name === 'w:start') level.start = Number(value) || 0;
      else if (name === 'w:pStyle') level.style = value;
    }
  }

  function next(numId: string, wanted: number): string | null {
    const instance = lists.get(numId);
    const own = instance && levels.get(instance.abstractId);
    if (!instance || !own) return null;
    const depth = Math.min(Math.max(Math.trunc(wanted) || 0, 0), DEEPEST);
    const counts = counters.get(instance.abstractId) ?? [];
    counters.set(instance.abstractId, counts);
    if (!started.has(numId)) {
      started.add(numId);
      for (const at of instance.starts.keys()) counts[at] = undefined;
    }
    const startOf = (at: number) => instance.starts.get(at) ?? own.get(at)?.start ?? 1;
    const count = counts[depth];
    counts[depth] = count === undefined ? startOf(depth) : count + 1;
    counts.length = depth + 1;
    const shape = own.get(depth);
    if (!shape || shape.format === 'none') return '';
    if (shape.format === 'bullet') return '-';
    return shape.pattern.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return formatCount(counts[at] ?? startOf(at), own.get(at)?.format ?? 'decimal');
    });
  }

  function levelOfStyle(numId: string, styleId: string): number | undefined {
    for (const [at, shape] of levels.get(lists.get(numId)?.abstractId ?? '') ?? []) {
      if (shape.style === styleId) return at;
    }
    return undefined;
  }

  const close = (name: string) => {
    if (name === 'w:lvl') level = undefined;
  };
  return { handler: { open, close }, next, levelOfStyle };
}

function formatCount(count: number, format: string): string {
  if (format === 'decimalZero') return String(count).padStart(2, '0');
  if (format === 'lowerLetter') return letters(count);
  if (format === 'upperLetter') return letters(count).toUpperCase();
  if (format === 'lowerRoman') return roman(count).toLowerCase();
  if (format === 'upperRoman') return roman(count);
  return String(count);
}

/** a to z, then aa, bb: as word processors count. */
const letters = (count: number): string =>
  count < 1 || count > 780
    ? String(count)
    : String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));

const romanDigits: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
];

function roman(count: number): string {
  if (count < 1 || count > 3999) return String(count);
  let left = count;
  let text = '';
  for (const [digit, value] of romanDigits) {
    for (; left >= value; left -= value) text += digit;
  }
  return text;
}
