import { answerOf } from '../../symbol-fonts.js';
import type { XmlAttributes } from '../xml/attributes.js';
import type { XmlHandler } from '../xml/xml-reader.js';
import { formatCount } from './count-format.js';

interface Level {
  format: string;
  /** A pattern such as `%1.%2` refers to the counters of levels 1 and 2. */
  pattern: string;
  start: number;
  style?: string;
  /** Font of the label. */
  font?: string;
  /** If true, all numbers are shown in digits. */
  legal?: boolean;
}

interface AbstractList {
  levels: Map<number, Level>;
  /** The list style that defines this list's levels, or whose levels this list defines. */
  uses?: string;
  defines?: string;
}

interface ListInstance {
  abstractId: string;
  starts: Map<number, number>;
  /** Overrides of the levels of the abstract list. */
  levels: Map<number, Level>;
}

export interface Numbering {
  handler: XmlHandler;
  /** Counts the next item and returns its label (`-`, `- ✓`, `1.`, `2.1` or empty); null if the list does not exist. */
  next(numId: string, level: number): string | null;
  /** Returns the level at which a list numbers paragraphs of this style. */
  levelOfStyle(numId: string, styleId: string): number | undefined;
}

const MAX_DEPTH = 8;
/** Maximum characters of a level's label pattern. */
const MAX_PATTERN_CHARS = 64;

/** Reads numbering.xml and counts the items of all lists. */
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
      else if (name === 'w:lvlText') level.pattern = value.slice(0, MAX_PATTERN_CHARS);
      else if (name === 'w:start') level.start = Number(value) || 0;
      else if (name === 'w:pStyle') level.style = value;
      else if (name === 'w:rFonts') level.font = attributes.get('w:ascii') ?? attributes.get('w:hAnsi') ?? '';
      else if (name === 'w:isLgl') level.legal = !/^(0|false|off)$/.test(value);
    }
  }

  /** Returns the levels of a list, which may be those of a list style. */
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
    const depth = Math.min(Math.max(Math.trunc(wanted) || 0, 0), MAX_DEPTH);
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
    if (shape.format === 'bullet') return `- ${answerOf(shape.pattern, shape.font ?? '')}`.trimEnd();
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
