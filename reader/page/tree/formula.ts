import type { Attributes } from './attributes.js';

/** Operators to write between the parts of a formula without content markup (https://www.w3.org/TR/mathml-core/). */
const between: Readonly<Record<string, string>> = {
  msup: '^',
  msub: '_',
  mfrac: '/',
  mover: '^',
  munder: '_',
};
const MAX_CHARS = 5_000;

/** Handles the parser events of one `math` element. */
export interface FormulaReader {
  open(name: string, attributes: Attributes): void;
  text(data: string): void;
  depth(): number;
  /** Returns true when the `math` element itself has closed. */
  close(): boolean;
  /** Returns TeX if the page contains it, or else the signs in order; '' for an empty formula. */
  formula(): string;
}

export function createFormulaReader(math: Attributes): FormulaReader {
  const open: { name: string; children: number; isTex: boolean }[] = [];
  let annotations = 0;
  let tex = '';
  let signs = '';
  return {
    open(name, attributes) {
      const around = open.at(-1);
      if (around !== undefined && around.children++ === 1) signs += between[around.name] ?? '';
      if (name === 'msqrt') signs += '√';
      if (name.startsWith('annotation')) annotations += 1;
      open.push({
        name,
        children: 0,
        isTex: name === 'annotation' && /tex/i.test(attributes.encoding ?? ''),
      });
    },
    text(data) {
      if (open.at(-1)?.isTex === true) {
        if (tex.length < MAX_CHARS) tex += data;
      } else if (annotations === 0 && signs.length < MAX_CHARS) signs += data.trim();
    },
    close() {
      const closed = open.pop();
      if (closed?.name.startsWith('annotation') === true) annotations -= 1;
      return closed === undefined;
    },
    depth: () => open.length,
    formula: () => marked(tex.trim() || (math.alttext ?? '').trim() || signs),
  };
}

/** Returns the formula in a picture; '' for other pictures, and for pictures that repeat the formula beside them. */
export function formulaOfImage({ alt = '', class: name = '', src = '', ...more }: Attributes): string {
  if (alt.trim() === '' || more['aria-hidden'] === 'true') return '';
  const isFormula =
    /(?:^|[\s_-])(?:la)?tex(?:$|[\s_-])|\bmath|\b(?:equation|formula)\b/i.test(name.slice(0, 200)) ||
    /latex\.php|codecogs\.com|[/.](?:math)?tex\//i.test(src.slice(0, 300));
  return isFormula ? marked(alt) : '';
}

/** Marks up TeX as in running text. */
export function marked(formula: string): string {
  const bare = /^\{\\(?:displaystyle|textstyle)\s+([\s\S]*)\}$/.exec(formula)?.[1] ?? formula;
  const plain = bare.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS);
  return plain === '' ? '' : `$${plain}$`;
}
