import type { TextRange } from '../../core/knowledge/sentences.js';
import { cellsOf } from '../../core/knowledge/table-rows.js';
import type { Candidate } from './candidates.js';

/** UTF-16 units. Longer structures are quoted in part. */
const WHOLE_LIST = 350;
const WHOLE_STEPS = 700;
const WHOLE_TABLE = 400;
const WHOLE_CODE = 700;
const WHOLE_FIELDS = 160;
const MAX_PART = 600;
const MAX_PROSE = 240;
/** Minimum score of a second sentence, relative to the best one. */
const SECOND_SENTENCE = 0.5;
/** Minimum score of a further item, relative to the best one. */
const CLOSE = 0.8;

/** Footnotes in a source would be mistaken for citations. */
export const withoutMarkers = (text: string): string => text.replace(/ ?\[\d+\](?!\()/g, '');

/** A part of a passage as Markdown. */
export interface Quotation {
  passage: number;
  markdown: string;
  /** A marker on its last line would become part of a list, table or code block. */
  isBlock: boolean;
  /** Terms that it contains, by index. */
  terms: ReadonlySet<number>;
}

/** Renders the best part of a structure: whole if it is short, else the items that match. */
export function quotationOf(candidate: Candidate): Quotation {
  const { passage, structure, near } = candidate;
  const chosen = chosenItems(candidate);
  const own = new Set(chosen.flatMap((at) => [...(candidate.items[at]?.own ?? [])]));
  const body = bodyOf(candidate, chosen);
  const isCode = structure.kind === 'code';
  const title = titleOf(candidate, own);
  return {
    passage,
    markdown: [...(title === '' ? [] : [withoutMarkers(title)]), isCode ? body : withoutMarkers(body)].join(
      '\n\n',
    ),
    isBlock: structure.kind !== 'paragraph',
    terms: new Set([...own, ...near]),
  };
}

const sliced = (text: string, { start, end }: TextRange): string => text.slice(start, end);

function chosenItems({ text, structure, items, score }: Candidate): number[] {
  const { kind } = structure;
  const all = items.map((_, at) => at);
  const size = structure.end - structure.start;
  const best = items.findIndex((item) => item.score === score);
  const close = all.filter((at) => (items[at]?.score ?? 0) >= CLOSE * score);
  const isNumbered = /^\(?\d/.test(text.slice(structure.start, structure.start + 3));
  switch (kind) {
    case 'paragraph':
      return around(structure.items, items, best);
    case 'list':
      return size <= (isNumbered ? WHOLE_STEPS : WHOLE_LIST) ? all : upTo(structure.items, close);
    case 'table':
      return close.length === all.length && size > WHOLE_TABLE
        ? upTo(structure.items, all)
        : upTo(structure.items, close);
    case 'code':
      return size <= WHOLE_CODE ? all : upTo(structure.items, close);
    case 'fields':
      return size <= WHOLE_FIELDS ? all : upTo(structure.items, close);
  }
}

/** The best sentences with their neighbours, and more of a short paragraph. */
function around(sentences: readonly TextRange[], items: Candidate['items'], best: number): number[] {
  const scoreOf = (at: number): number => items[at]?.score ?? 0;
  const [second] = items
    .map((_, at) => at)
    .filter((at) => at !== best && scoreOf(at) >= SECOND_SENTENCE * scoreOf(best))
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
  const chosen = new Set<number>();
  let size = 0;
  const add = (at: number, limit: number): void => {
    const sentence = sentences[at];
    const more = sentence === undefined ? 0 : sentence.end - sentence.start;
    if (more === 0 || chosen.has(at) || (chosen.size > 0 && size + more > limit)) return;
    chosen.add(at);
    size += more;
  };
  for (const at of second === undefined ? [best] : [best, second])
    for (const step of [0, 1, -1]) add(at + step, MAX_PART);
  for (let step = 2; step < sentences.length; step++) {
    add(best + step, MAX_PROSE);
    add(best - step, MAX_PROSE);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** The first of the items that fit together, at least one. */
function upTo(ranges: readonly TextRange[], items: readonly number[]): number[] {
  let left = MAX_PART;
  return items.filter((at, n) => {
    const range = ranges[at];
    left -= range === undefined ? 0 : range.end - range.start;
    return n === 0 || left >= 0;
  });
}

function bodyOf({ text, structure }: Candidate, chosen: readonly number[]): string {
  const parts = chosen.flatMap((at) => {
    const item = structure.items[at];
    return item === undefined ? [] : [sliced(text, item)];
  });
  switch (structure.kind) {
    case 'paragraph':
      return chosen
        .map((at, n) =>
          n > 0 && chosen[n - 1] !== at - 1 ? `… ${onOneLine(parts[n] ?? '')}` : onOneLine(parts[n] ?? ''),
        )
        .join(' ');
    case 'list':
      return parts.join('\n');
    case 'fields':
      return parts.map((line) => (/^[-+*•]\s/.test(line) ? line : `- ${line}`)).join('\n');
    case 'code':
      return chosen.length === structure.items.length
        ? sliced(text, structure)
        : `\`\`\`\n${parts.join('\n\n')}\n\`\`\``;
    case 'table':
      return tableOf(structure.header === null ? null : sliced(text, structure.header), parts);
  }
}

function tableOf(header: string | null, rows: readonly string[]): string {
  const titles = header === null ? [] : cellsOf(header);
  if (rows.length > 1) {
    const cells = rows.map(cellsOf);
    const width = Math.max(titles.length, ...cells.map((row) => row.length));
    const line = (row: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, n) => row[n] ?? '').join(' | ')} |`;
    return [line(titles), `|${' --- |'.repeat(width)}`, ...cells.map(line)].join('\n');
  }
  const cells = cellsOf(rows[0] ?? '');
  return cells
    .flatMap((cell, n) => (cell === '' ? [] : [titles[n] ? `- ${titles[n]}: ${cell}` : `- ${cell}`]))
    .join('\n');
}

/** The lead or, if it adds a term or explains a list, the innermost heading. */
function titleOf({ text, structure, near }: Candidate, own: ReadonlySet<number>): string {
  const { lead, headings, followsHeading, kind } = structure;
  if (lead !== null) return onOneLine(sliced(text, lead));
  const heading = headings.at(-1)?.split('\n')[0] ?? '';
  const adds = [...near].some((term) => !own.has(term));
  return heading !== '' && ((adds && followsHeading) || kind === 'list') ? `**${onOneLine(heading)}**` : '';
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
