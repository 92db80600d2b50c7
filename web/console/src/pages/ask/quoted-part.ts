import { structuresOf } from '../../../../../core/knowledge/text/text-structure.js';

/** Text to show before and after the quotation, in UTF-16 units. */
const AROUND = 3000;

/** The part of a source around a quotation. Positions are UTF-16 units in the source's text. */
export interface QuotedPart {
  from: number;
  to: number;
  /** The whole paragraph, list, table or code block that contains the beginning of the quotation. */
  block: { start: number; end: number };
  /** Titles of the headings above the block, within the part, outermost first. */
  headings: string[];
}

/** Returns the block that contains a quotation, with whole lines around it. */
export function quotedPart(text: string, start: number, end: number): QuotedPart {
  const from = start <= AROUND ? 0 : lineStart(text, start - AROUND);
  const to = lineEnd(text, end + AROUND);
  const structure = structuresOf(text.slice(from, to)).findLast((one) => {
    const first = one.lead?.start ?? one.start;
    return from + first <= start && start < from + one.end;
  });
  const block = structure ?? { start: start - from, end: end - from, lead: null };
  return {
    from,
    to,
    block: {
      start: Math.min(start, from + (block.lead?.start ?? block.start)),
      end: Math.max(end, from + block.end),
    },
    headings: structure?.headings ?? [],
  };
}

/** Returns the start of the line at a position; in a very long line, the position itself. */
function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at) + 1;
  return at - start > AROUND ? at : start;
}

function lineEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const newline = text.slice(at, at + AROUND).indexOf('\n');
  return newline < 0 ? Math.min(at, text.length) : at + newline;
}
