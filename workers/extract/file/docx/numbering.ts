import type { XmlAttributes } from '../xml/attributes.js';
import type { XmlHandler } from '../xml/xml-reader.js';
import { formatCount } from './count-format.js';

interface Level {
  format: string;
  /** `%1.%2` stands for the counters of levels 1 and 2. */
  pattern: string;
  start: number;
  style?: string;
  /** All numbers are shown in digits. */
  legal?: boolean;
}

interface AbstractList {
  levels: Map<number, Level>;
  /** The list style whose levels it takes over, or for which it keeps the levels. */
  uses?: string;
  defines?: string;
}

interface ListInstance {
  abstractId: string;
  starts: Map<number, number>;
  /** Levels that are other than those of the abstract list. */
  levels: Map<number, Level>;
}

export interface Numbering {
  handler: XmlHandler;
  /** Counts one more item; what stands before it: `-`, `1.`, `2.1`, or nothing. null when there is no such list. */
  next(numId: string, level: number): string | null;
  /** Level at which a list numbers the paragraphs of this style. */
  levelOfStyle(numId: string, styleId: string): number | undefined;
}

const DEEPEST = 8;
/** Characters of the text before the items of a level. */
const LONGEST_PATTERN = 64;

/** Reads numbering.xml and keeps the counters of all lists. */
export function createNumbering(): Numbering {
  const abstracts = new Map<string, AbstractList>();
  const lists = new Map<string, ListInstance>();
  const counters = new Map<string, (number | undefined)[]>();
  const started = new Set<string>();
  let abstract: AbstractList | undefined;
  let list: ListInstance | undefined;
  let level: Level | undefined;
  let override = 0;

  function open(name: string, attributes: XmlAttributes): void {
    const value = attributes.get('w:val') ?? '';
    if (name === 'w:abstractNum') {
      abstract = { levels: new Map() };
      abstracts.set(attributes.get('w:abstractNumId') ?? '', abstract);
    } else if (name === 'w:num') {
      abstract = undefined;
      list = { abstractId: '', starts: new Map(), levels: new Map() };
      lists.set(attributes.get('w:numId') ?? '', list);
    } else if (name === 'w:abstractNumId' && list) list.abstractId = value;
    else if (name === 'w:lvlOverride') override = Number(attributes.get('w:ilvl') ?? 0);
    else if (name === 'w:startOverride') list?.starts.set(override, Number(value));
    else if (name === 'w:lvl') {
      level = { format: 'decimal', pattern: '', start: 1 };
      (abstract ?? list)?.levels.set(Number(attributes.get('w:ilvl') ?? 0), level);
    } else if (name === 'w:numStyleLink' && abstract) abstract.uses = value;
    else if (name === 'w:styleLink' && abstract) abstract.defines = value;
    else if (level) {
      if (name === 'w:numFmt') level.format = value;
      else if (name === 'w:lvlText') level.pattern = value.slice(0, LONGEST_PATTERN);
      else if (name === 'w:start') level.start = Number(value) || 0;
      else if (name === 'w:pStyle') level.style = value;
      else if (name === 'w:isLgl') level.legal = !/^(0|false|off)$/.test(value);
    }
  }

  /** A list can leave its levels to the one that a list style names. */
  function levelsOf(abstractId: string): Map<number, Level> | undefined {
    const own = abstracts.get(abstractId);
    if (own?.uses === undefined) return own?.levels;
    for (const other of abstracts.values()) if (other.defines === own.uses) return other.levels;
    return own.levels;
  }

  function next(numId: string, wanted: number): string | null {
    const instance = lists.get(numId);
    const shared = instance && levelsOf(instance.abstractId);
    if (!instance || !shared) return null;
    const shapeOf = (at: number) => instance.levels.get(at) ?? shared.get(at);
    const depth = Math.min(Math.max(Math.trunc(wanted) || 0, 0), DEEPEST);
    const counts = counters.get(instance.abstractId) ?? [];
    counters.set(instance.abstractId, counts);
    if (!started.has(numId)) {
      started.add(numId);
      for (const at of instance.starts.keys()) counts[at] = undefined;
    }
    const startOf = (at: number) => instance.starts.get(at) ?? shapeOf(at)?.start ?? 1;
    const count = counts[depth];
    counts[depth] = count === undefined ? startOf(depth) : count + 1;
    counts.length = depth + 1;
    const shape = shapeOf(depth);
    if (!shape || shape.format === 'none') return '';
    if (shape.format === 'bullet') return '-';
    return shape.pattern.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return formatCount(
        counts[at] ?? startOf(at),
        shape.legal ? 'decimal' : (shapeOf(at)?.format ?? 'decimal'),
      );
    });
  }

  function levelOfStyle(numId: string, styleId: string): number | undefined {
    for (const [at, shape] of levelsOf(lists.get(numId)?.abstractId ?? '') ?? []) {
      if (shape.style === styleId) return at;
    }
    return undefined;
  }

  const close = (name: string) => {
    if (name === 'w:lvl') level = undefined;
  };
  return { handler: { open, close }, next, levelOfStyle };
}
