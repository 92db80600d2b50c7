import type { TextRange } from '../../core/knowledge/text/sentences.js';
import { cellsOf, isValue } from '../../core/knowledge/text/table-rows.js';
import { titleAbove } from '../../core/knowledge/text/text-structure.js';
import { refersBack } from '../../core/retrieval/words/follow-ups.js';
import { hasNumber } from '../../core/retrieval/words/numbers.js';
import { type Candidate, type ItemMatch, isNumbered } from './candidates.js';

/** Maximum length of a structure that is quoted whole, in UTF-16 units. */
const WHOLE = { list: 350, steps: 700, code: 700, fields: 160, section: 350 };
/** Maximum length of a part of a longer structure, in UTF-16 units: about a screen of a phone. */
const MAX_PART = 600;
/** Minimum score of a second sentence, relative to the best sentence. */
const SECOND_SENTENCE = 0.5;
/** Minimum score of a further item, relative to the best item. */
const CLOSE = 0.8;
/** Minimum weight of terms that count as much as others, relative to these. */
const EQUAL = 0.6;
/** A line break within a Markdown paragraph. */
const HARD_BREAK = '  \n';

/** A part of a passage as Markdown. */
export interface Quotation {
  passage: number;
  markdown: string;
  /** Whether it ends with a list, table or code block, so that the marker must be on a new line. */
  isBlock: boolean;
  /** Indexes of the terms that it contains. */
  terms: ReadonlySet<number>;
}

/**
 * Renders the best part of a structure, or its whole section if the section is short and contains only paragraphs and
 * lists.
 */
export function quotationOf(candidate: Candidate): Quotation {
  const { section, passage, heading, near } = candidate;
  const isWhole = isShortText(section) && !section.some(answersNumber);
  const parts = isWhole ? section : [candidate];
  const chosen = parts.map((part) => (isWhole ? allItems(part) : chosenItems(part)));
  const own = new Set(
    parts.flatMap(({ items }, n) => (chosen[n] ?? []).flatMap((at) => [...(items[at]?.own ?? [])])),
  );
  const terms = new Set([...own, ...near, ...heading]);
  const bodies = parts.flatMap((part, n) => {
    const lead = leadOf(part);
    const titles = n === 0 ? titlesOf(part, own) : lead === '' ? [] : [lead];
    const body = bodyOf(part, chosen[n] ?? []);
    const isCode = part.structure.kind === 'code';
    return [...titles.map(withoutMarkers), isCode ? body : withoutMarkers(body)];
  });
  const isBlock = parts.at(-1)?.structure.kind !== 'paragraph';
  return { passage, markdown: bodies.join('\n\n'), isBlock, terms };
}

/** Matches a number in brackets, unless it is the text of a link. */
const footnote = / ?\[\d+\](?!\([^\s()<>\\]+\))/g;

/**
 * Removes footnote markers, because users would mistake them for citations. Recursive, because a removal may create
 * another marker.
 */
export function withoutMarkers(text: string): string {
  const rest = text.replace(footnote, '');
  return rest === text ? text : withoutMarkers(rest);
}

const sliced = (text: string, { start, end }: TextRange): string => text.slice(start, end);
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const allItems = ({ items }: Candidate): number[] => items.map((_, at) => at);

function isShortText(section: readonly Candidate[]): boolean {
  const sizes = section.map(({ structure: { start, end } }) => end - start);
  return (
    section.length > 1 &&
    sizes.reduce((sum, size) => sum + size, 0) <= WHOLE.section &&
    section.every(({ structure: { kind } }) => kind === 'paragraph' || kind === 'list')
  );
}

function chosenItems(candidate: Candidate): number[] {
  const { text, structure } = candidate;
  const { kind, start, end } = structure;
  if (kind === 'paragraph') return aroundBest(candidate);
  if (kind === 'table') return matchingItems(candidate);
  const isSteps = kind === 'list' && isNumbered(text.slice(start, end));
  if (!isSteps && kind !== 'code' && hasAnswer(candidate, kind)) return matchingItems(candidate);
  return end - start <= WHOLE[isSteps ? 'steps' : kind] ? allItems(candidate) : matchingItems(candidate);
}

/** Minimum number of topics in a line that answers alone. In a list, one topic may only say what the list is about. */
const TOPICS_OF_ANSWER = { list: 2, fields: 1 };
/** Minimum weight of a topic, relative to the sum of all terms. Stop words weigh less. */
const TOPIC = 0.1;

/** Returns whether the best line contains every topic of the list, its heading and its lead, so that it answers alone. */
function hasAnswer(
  { items, score, heading, near, weightOf }: Candidate,
  kind: keyof typeof TOPICS_OF_ANSWER,
): boolean {
  const own = items.find((item) => item.score === score)?.own ?? new Set();
  const all = new Set([...items.flatMap((item) => [...item.own]), ...heading, ...near]);
  const topics = [...all].filter((term) => weightOf([term]) >= TOPIC * weightOf(all));
  return topics.length >= TOPICS_OF_ANSWER[kind] && topics.every((term) => own.has(term));
}

/**
 * Returns the best item, and items with nearly the same score that contain all of its terms, or a further term about as
 * important as what they lack. In a table of products, these are only the rows of the product in the question; a product
 * that only the question before named weighs less.
 */
function matchingItems({ structure, items, score, weightOf }: Candidate): number[] {
  const scoreOf = (at: number): number => items[at]?.score ?? 0;
  const best = items.find((item) => item.score === score)?.own ?? new Set();
  const isMatching = ({ own }: ItemMatch): boolean => {
    const missing = [...best].filter((term) => !own.has(term));
    const added = [...own].filter((term) => !best.has(term));
    return missing.length === 0 || (added.length > 0 && weightOf(added) >= EQUAL * weightOf(missing));
  };
  const matching = items.flatMap((item, at) => (item.score >= CLOSE * score && isMatching(item) ? [at] : []));
  let left = MAX_PART;
  return matching
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a - b)
    .filter((at, n) => {
      const range = structure.items[at];
      left -= range === undefined ? 0 : range.end - range.start;
      return n === 0 || left >= 0;
    })
    .sort((a, b) => a - b);
}

/**
 * Returns the best sentence and a second one, each with the sentence after it, and with the one before it if that
 * completes it. A sentence that contains the whole answer gets neither.
 */
function aroundBest(candidate: Candidate): number[] {
  const { structure, items, score } = candidate;
  const best = items.findIndex((item) => item.score === score);
  const scoreOf = (at: number): number => items[at]?.score ?? 0;
  const [second] = items
    .map((_, at) => at)
    .filter((at) => at !== best && scoreOf(at) >= SECOND_SENTENCE * scoreOf(best))
    .sort((a, b) => scoreOf(b) - scoreOf(a) || a - b);
  const chosen = new Set<number>();
  let size = 0;
  const add = (at: number): void => {
    const sentence = structure.items[at];
    const more = sentence === undefined ? 0 : sentence.end - sentence.start;
    if (more === 0 || chosen.has(at) || (chosen.size > 0 && size + more > MAX_PART)) return;
    chosen.add(at);
    size += more;
  };
  const isComplete = answersAlone(candidate, best, items);
  for (const at of second === undefined ? [best] : [best, second]) {
    add(at);
    if (isComplete) continue;
    add(at + 1);
    if (leadsTo(candidate, at)) add(at - 1);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Returns whether a sentence contains the number that the question asks for, and every term of the other items. */
function answersAlone(
  { items, text, structure, wantsNumber }: Candidate,
  at: number,
  others: readonly ItemMatch[],
): boolean {
  const [item, range] = [items[at], structure.items[at]];
  if (!wantsNumber || item === undefined || range === undefined) return false;
  if (!hasNumber(sliced(text, range))) return false;
  return others.every(({ own }) => [...own].every((term) => item.own.has(term)));
}

/** Returns whether the best sentence of a paragraph answers a question for a number without the rest of its section. */
function answersNumber(candidate: Candidate): boolean {
  const { structure, items, section, score } = candidate;
  if (structure.kind !== 'paragraph') return false;
  const best = items.findIndex((item) => item.score === score);
  return answersAlone(
    candidate,
    best,
    section.flatMap((one) => one.items),
  );
}

/** Returns whether the sentence before contains a term that this one lacks, or this one refers back to it. */
function leadsTo({ items, text, structure }: Candidate, at: number): boolean {
  const [before, range] = [structure.items[at - 1], structure.items[at]];
  if (before === undefined || range === undefined) return false;
  const known = items[at]?.own ?? new Set();
  return (
    [...(items[at - 1]?.own ?? [])].some((term) => !known.has(term)) ||
    refersBack(sliced(text, range), sliced(text, before))
  );
}

function bodyOf(candidate: Candidate, chosen: readonly number[]): string {
  const { text, structure } = candidate;
  const { kind, items, columns } = structure;
  const parts = chosen.flatMap((at) => {
    const item = items[at];
    return item === undefined ? [] : [sliced(text, item)];
  });
  switch (kind) {
    case 'paragraph':
      return sentencesOf(text, items, chosen);
    case 'list':
      return parts.join('\n');
    case 'fields':
      return parts.map((line) => (/^[-+*•]\s/.test(line) ? line : `- ${line}`)).join('\n');
    case 'code':
      return chosen.length === items.length
        ? sliced(text, structure)
        : ['```', parts.join('\n\n'), '```'].join('\n');
    case 'table':
      return (parts.length === 1 ? askedCells(candidate, parts[0] ?? '') : null) ?? tableOf(columns, parts);
  }
}

/** Joins sentences. Keeps line breaks of the source, and puts an ellipsis where sentences are left out. */
function sentencesOf(text: string, items: readonly TextRange[], chosen: readonly number[]): string {
  return chosen
    .map((at, n) => {
      const [item, previous] = [items[at], items[chosen[n - 1] ?? -1]];
      if (item === undefined) return '';
      const sentence = onOneLine(sliced(text, item));
      if (previous === undefined) return sentence;
      if (chosen[n - 1] !== at - 1) return ` … ${sentence}`;
      return `${text.slice(previous.end, item.start).includes('\n') ? HARD_BREAK : ' '}${sentence}`;
    })
    .join('');
}

function tableOf(titles: readonly string[], rows: readonly string[]): string {
  const cells = rows.map(cellsOf);
  const [first = []] = cells;
  const width = Math.max(titles.length, ...cells.map((row) => row.length));
  if (titles.length === 0 && width <= 2) return cells.map((row) => `- ${row.join(': ')}`).join('\n');
  if (rows.length > 1) {
    const line = (row: readonly string[]): string =>
      `| ${Array.from({ length: width }, (_, n) => row[n] ?? '').join(' | ')} |`;
    return [line(titles), `|${' --- |'.repeat(width)}`, ...cells.map(line)].join('\n');
  }
  // A table from a PDF may lack cells, so its titles cannot be assigned to cells.
  const isAligned = titles.length > 0 && (first.length === titles.length || (rows[0] ?? '').includes('|'));
  if (!isAligned)
    return [titles, first].flatMap((row) => (row.length > 0 ? [row.join(' · ')] : [])).join(HARD_BREAK);
  return first
    .flatMap((cell, n) => (cell === '' ? [] : [titles[n] ? `- ${titles[n]}: ${cell}` : `- ${cell}`]))
    .join('\n');
}

/**
 * Returns the label of a row and the values in the columns that the question names ("Nail trimming, Cat: 14.00"); null if
 * the question names no column, if a cell there is no value, or if the cells cannot be assigned to columns.
 */
function askedCells(
  { structure: { columns }, columnTerms, weightOf }: Candidate,
  row: string,
): string | null {
  const cells = cellsOf(row);
  const [label = ''] = cells;
  if (label === '' || columns.length < 3 || cells.length !== columns.length) return null;
  const others = columnTerms.slice(1);
  const weights = others.map((terms) =>
    weightOf([...terms].filter((term) => !others.every((set) => set.has(term)))),
  );
  const most = Math.max(...weights);
  const asked = weights.flatMap((weight, n) => (weight >= EQUAL * most ? [n + 1] : []));
  if (!asked.every((n) => isValue(cells[n] ?? ''))) return null;
  return `${label}, ${asked.map((n) => `${columns[n]}: ${cells[n]}`).join(', ')}`;
}

/** Returns the innermost heading, if it adds a term or introduces a list, and the lead. */
function titlesOf(candidate: Candidate, own: ReadonlySet<number>): string[] {
  const { headings, followsHeading, kind } = candidate.structure;
  const lead = leadOf(candidate);
  const title = onOneLine(titleAbove(headings).split('\n')[0] ?? '');
  const adds = [...candidate.heading].some((term) => !own.has(term) && !candidate.near.has(term));
  const isNeeded = (adds && (followsHeading || kind === 'list')) || (kind === 'list' && lead === '');
  return [...(title !== '' && isNeeded ? [`**${title}**`] : []), ...(lead === '' ? [] : [lead])];
}

const leadOf = ({ text, structure: { lead } }: Candidate): string =>
  lead === null ? '' : onOneLine(sliced(text, lead));
