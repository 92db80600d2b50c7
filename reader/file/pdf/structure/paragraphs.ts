import { asText } from '../../../as-text.js';
import { joinLine } from '../lines/join-line.js';
import type { TextLine } from '../lines/text-lines.js';
import type { Words } from '../lines/words.js';
import { tableText } from '../tables/table-text.js';

/** Line distance that separates paragraphs if the usual distance is unknown, in letter heights. */
const USUAL_LEADING = 1.35;
/** A line that ends within this distance of its block's right edge was wrapped. Share of the block's width. */
const RAGGED_SHARE = 0.15;

const listStart = /^\s*(?:[•▪◦‣·●○■□–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s/;

/** Lines of one paragraph or heading. */
interface Block {
  lines: TextLine[];
  /** 1 to 6 for headings, 0 for other text. */
  rank: number;
}

/**
 * Joins wrapped lines into paragraphs, with blank lines between them. Other lines are unchanged. `ranks` holds the
 * heading rank of each line, `words` the words of the document.
 */
export function pageText(lines: readonly TextLine[], ranks: readonly number[], words: Words): string {
  const blocks: Block[] = [];
  const leading = usualLeading(lines);
  for (const [i, line] of lines.entries()) {
    const block = blocks.at(-1);
    const previous = block?.lines.at(-1);
    const rank = ranks[i] ?? 0;
    if (block && previous && block.rank === rank && follows(previous, line, leading)) block.lines.push(line);
    else blocks.push({ lines: [line], rank });
  }
  return blocks
    .map((block) => {
      const table = block.lines[0]?.table;
      if (table !== undefined) return tableText(table);
      return block.rank === 0 ? asText(blockText(block.lines, words)) : headingText(block, words);
    })
    .join('\n\n');
}

const headingText = ({ lines, rank }: Block, words: Words): string =>
  `${'#'.repeat(rank)} ${lines.map((line) => line.text).reduce((text, next) => joinLine(text, next.trim(), true, words))}`;

/** Returns the median distance between neighbouring lines, in letter heights. */
function usualLeading(lines: readonly TextLine[]): number {
  const distances: number[] = [];
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1];
    const distance = next && next.turn === line.turn ? (line.v - next.v) / (line.size || 1) : 0;
    if (distance > 0.5 && distance < 3) distances.push(distance);
  }
  distances.sort((x, y) => x - y);
  return distances[distances.length >> 1] ?? USUAL_LEADING;
}

function follows(previous: TextLine, line: TextLine, leading: number): boolean {
  if (previous.turn !== line.turn || previous.table !== undefined || line.table !== undefined) return false;
  const size = Math.max(previous.size, line.size) || 1;
  const distance = (previous.v - line.v) / size;
  const overlaps = Math.min(previous.end, line.end) > Math.max(previous.start, line.start) - 2 * size;
  const sameSize = Math.abs(previous.size - line.size) <= 0.15 * size;
  return sameSize && overlaps && distance > -0.5 && distance < leading * 1.3 + 0.1;
}

function blockText(block: readonly TextLine[], words: Words): string {
  const left = Math.min(...block.map((line) => line.start));
  const right = Math.max(...block.map((line) => line.end));
  let text = '';
  let previous: TextLine | undefined;
  for (const line of block) {
    const next = line.text.trim();
    text = previous ? joinLine(text, next, isWrapped(previous, line, left, right), words) : next;
    previous = line;
  }
  return text;
}

function isWrapped(previous: TextLine, line: TextLine, left: number, right: number): boolean {
  const size = Math.max(previous.size, line.size);
  const isFull = previous.end >= right - Math.max(RAGGED_SHARE * (right - left), 2 * size);
  const isBlockWide = right - left > 12 * size;
  return isFull && isBlockWide && !previous.tabular && !line.tabular && !listStart.test(line.text);
}
