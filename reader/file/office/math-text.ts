import type { XmlAttributes } from '../xml/attributes.js';

/** Converts a formula (Office Math, ISO/IEC 29500-1, 22.1) to text, element by element. */
export interface MathText {
  /** Both methods return the extended line. */
  open(name: string, attributes: XmlAttributes, line: string): string;
  close(name: string, line: string): string;
}

/** Signs written before the parts of a formula. */
const marks: Readonly<Record<string, string>> = {
  'm:num': '',
  'm:den': '/',
  'm:sup': '^',
  'm:sub': '_',
  'm:lim': '_',
};

interface Part {
  name: string;
  /** Offset of the part from the start of the line. */
  from: number;
  /** Signs of delimiters, large operators and accents. */
  begin: string;
  end: string;
  /** Number of arguments so far. */
  count: number;
}

/** Writes formulas on one line, for example `(a+b)/2`, `x^2`, `√(x+1)`. */
export function createMathText(): MathText {
  const parts: Part[] = [];
  const top = () => parts.at(-1);

  function open(name: string, attributes: XmlAttributes, line: string): string {
    if (!name.startsWith('m:')) return line;
    const within = top();
    const sign = attributes.get('m:val') ?? '';
    if (name === 'm:chr' && within) within.begin = sign;
    else if (name === 'm:begChr' && within) within.begin = sign;
    else if (name === 'm:endChr' && within) within.end = sign;
    if (name === 'm:rad') parts.push({ name, from: line.length, begin: '√', end: '', count: 0 });
    else if (name === 'm:nary') parts.push({ name, from: line.length, begin: '∫', end: '', count: 0 });
    else if (name === 'm:acc') parts.push({ name, from: line.length, begin: '\u0302', end: '', count: 0 });
    else if (name === 'm:d') parts.push({ name, from: line.length, begin: '(', end: ')', count: 0 });
    else if (name === 'm:mr' || name === 'm:eqArr')
      parts.push({ name, from: line.length, begin: '', end: '', count: 0 });
    else if (name === 'm:e' || name === 'm:deg' || name === 'm:fName' || marks[name] !== undefined) {
      const before = name === 'm:e' && within ? separator(within) : '';
      if (name === 'm:e' && within) within.count++;
      parts.push({ name, from: line.length + before.length, begin: '', end: '', count: 0 });
      return line + before;
    }
    return line;
  }

  function close(name: string, line: string): string {
    const part = top();
    if (name === 'm:naryPr' && part?.name === 'm:nary') return line + part.begin;
    if (part?.name !== name) return line;
    parts.pop();
    const before = line.slice(0, part.from);
    const inside = line.slice(part.from);
    const mark = marks[name];
    if (mark !== undefined) return inside === '' ? line : `${before}${mark}${grouped(inside)}`;
    if (name === 'm:deg') return inside === '' ? line : `${before}[${inside}]`;
    if (name === 'm:fName') return `${line} `;
    if (name === 'm:d') return `${before}${part.begin}${inside}${part.end}`;
    if (name === 'm:acc') return line + part.begin;
    if (name === 'm:rad') return `${before}√${inside}`;
    if (name === 'm:mr') return `${line}; `;
    return name === 'm:e' && top()?.name === 'm:rad' ? before + grouped(inside) : line;
  }

  return { open, close };
}

/** Returns the sign between two arguments. */
function separator({ name, count }: Part): string {
  if (name === 'm:nary') return ' ';
  if (count === 0) return '';
  if (name === 'm:d') return '|';
  if (name === 'm:mr') return ' ';
  return name === 'm:eqArr' ? '\n' : '';
}

const grouped = (text: string): string => (/^([\p{L}\p{N}\p{M}.,′]*|.)$/u.test(text) ? text : `(${text})`);
