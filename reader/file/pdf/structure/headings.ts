import type { TextLine } from '../lines/text-lines.js';

/** Typical sizes and fonts of a whole document. */
export interface Typography {
  /** Most frequent letter height of the text. */
  size: number;
  font: string;
  /** Letter heights of headings, largest first. Similar sizes are merged. */
  headingSizes: readonly number[];
  /** Fonts used for a small part of the text. */
  rareFonts: ReadonlySet<string>;
}

/** Minimum ratio of a heading's letter height to that of the text, if both have the same font. */
const LARGER = 1.12;
const ALIKE = 1.06;
/** A size or font with a larger share of the text is that of the body text. */
const MAX_SIZE_SHARE = 0.15;
const MAX_FONT_SHARE = 0.12;
const MAX_CHARS = 150;
const MAX_PLAIN_CHARS = 90;
const MAX_LINES = 3;
/** Lowest heading rank in Markdown. */
const MAX_RANK = 6;
/** Minimum space above a heading with the letter height of the text, in usual line distances. */
const APART = 1.25;

const numbered = /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|§\s?\d{1,3}|[A-Z]\.|[IVX]{1,5}\.)\s+\p{L}/u;
/** A number with two or more parts before a capital letter begins a heading. */
const deepNumber = /^\d{1,2}((?:\.\d{1,2}){1,4})\.?\s+\p{Lu}/u;
const saysSomething = /\p{L}{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/u;

export function typographyOf(pages: readonly (readonly TextLine[])[]): Typography {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  let all = 0;
  for (const page of pages) {
    for (const { size, font, text } of page) {
      add(sizes, rounded(size), text.length);
      add(fonts, font, text.length);
      all += text.length;
    }
  }
  const size = mostOf(sizes, 0);
  const headingSizes: number[] = [];
  const larger = [...sizes].filter(
    ([other, chars]) => other > LARGER * size && chars <= MAX_SIZE_SHARE * all,
  );
  for (const [other] of larger.sort(([one], [two]) => two - one)) {
    if (other * ALIKE < (headingSizes.at(-1) ?? Number.POSITIVE_INFINITY)) headingSizes.push(other);
  }
  const rare = [...fonts].filter(([font, chars]) => font !== '' && chars <= MAX_FONT_SHARE * all);
  return { size, font: mostOf(fonts, ''), headingSizes, rareFonts: new Set(rare.map(([font]) => font)) };
}

const rounded = (size: number): number => Math.round(size * 4) / 4;

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function mostOf<Key>(counts: ReadonlyMap<Key, number>, none: Key): Key {
  let best: [Key, number] = [none, 0];
  for (const [key, count] of counts) if (count > best[1]) best = [key, count];
  return best[0];
}

/** Returns the heading rank of each line of a page: 1 to 6, or 0 for other lines. */
export function headingRanks(lines: readonly TextLine[], typography: Typography): number[] {
  const ranks = lines.map((line) => rankBySize(line, typography));
  const leading = usualLeading(lines, typography.size);
  for (let at = 0; at < lines.length; at++) {
    const run = ranks[at] === 0 ? plainRun(lines, at, typography) : 0;
    if (run === 0) continue;
    const [first, before, after] = [lines[at], lines[at - 1], lines[at + run]];
    if (first !== undefined && isApart(before, first, leading) && continues(after, first, leading)) {
      const deep = Math.max(1, (deepNumber.exec(first.text)?.[1]?.split('.').length ?? 1) - 1);
      ranks.fill(Math.min(MAX_RANK, typography.headingSizes.length + deep), at, at + run);
    }
    at += run - 1;
  }
  return ranks;
}

function rankBySize(line: TextLine, { size, headingSizes }: Typography): number {
  if (line.turn !== 0 || line.tabular || line.size <= LARGER * size || line.text.length > MAX_CHARS) return 0;
  if (!saysSomething.test(line.text)) return 0;
  const own = rounded(line.size);
  const place = headingSizes.findIndex((other) => own <= other * ALIKE && own * ALIKE >= other);
  return Math.min(MAX_RANK, place + 1);
}

/**
 * Returns the number of lines from here that form one heading with the text's letter height, recognised by font or
 * number.
 */
function plainRun(lines: readonly TextLine[], from: number, typography: Typography): number {
  const first = lines[from];
  if (first === undefined || !mayBePlainHeading(first, typography)) return 0;
  const isOtherFont = isRare(first, typography);
  if (!isOtherFont) return deepNumber.test(first.text) ? 1 : 0;
  let count = 1;
  while (lines[from + count]?.font === first.font && !numbered.test(lines[from + count]?.text ?? '')) count++;
  if (count > MAX_LINES) return 0;
  const last = lines[from + count - 1]?.text ?? '';
  return /[.,;:]$/.test(last) ? 0 : count;
}

function mayBePlainHeading(line: TextLine, { size }: Typography): boolean {
  return (
    line.turn === 0 &&
    !line.tabular &&
    line.size >= 0.97 * size &&
    line.size <= LARGER * size &&
    line.text.length <= MAX_PLAIN_CHARS &&
    saysSomething.test(line.text) &&
    /^[\p{Lu}\p{Lt}\p{Lo}\p{N}§]/u.test(line.text) &&
    !/[.,;:]$/.test(line.text)
  );
}

const isRare = ({ font }: TextLine, typography: Typography): boolean =>
  font !== typography.font && typography.rareFonts.has(font);

/** Returns whether text in another font, or at a distance, follows the heading in its column. */
const continues = (after: TextLine | undefined, heading: TextLine, leading: number): boolean =>
  after !== undefined &&
  after.v < heading.v &&
  after.start < heading.end + heading.size &&
  (after.font !== heading.font || heading.v - after.v >= APART * leading);

function isApart(before: TextLine | undefined, heading: TextLine, leading: number): boolean {
  if (before === undefined || before.v <= heading.v) return true;
  return before.v - heading.v >= APART * leading;
}

/** Returns the median distance between neighbouring lines. */
function usualLeading(lines: readonly TextLine[], size: number): number {
  const distances: number[] = [];
  for (const [i, line] of lines.entries()) {
    const distance = line.v - (lines[i + 1]?.v ?? line.v);
    if (distance > 0.5 * size && distance < 3 * size) distances.push(distance);
  }
  distances.sort((one, other) => one - other);
  return distances[distances.length >> 1] ?? 1.35 * size;
}
