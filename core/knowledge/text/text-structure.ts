import { bareTitle } from './heading-title.js';
import { endOfSentence, type TextRange, trimmed } from './sentences.js';
import { cellsOf, isTableLine, linesOf, tableRows } from './table-rows.js';
import { type Block, blocksOf } from './text-blocks.js';

export type StructureKind = 'paragraph' | 'list' | 'table' | 'code' | 'fields';

/** A part of a text that can be quoted as a whole. Ranges are in UTF-16 units. */
export interface Structure extends TextRange {
  kind: StructureKind;
  /** Titles of the headings above it, outermost first. */
  headings: string[];
  /** Whether it is the first structure below its heading. */
  followsHeading: boolean;
  /** The line or sentence above that introduces it. Not part of the range. */
  lead: TextRange | null;
  /** The row with the titles of a table's columns. Part of the range. */
  header: TextRange | null;
  /**
   * Titles of a table's columns, from its header or, if the text begins within the table, from the innermost heading.
   * Otherwise empty.
   */
  columns: readonly string[];
  /** Sentences, list items, rows, stanzas of code, or lines with a label and its value. */
  items: TextRange[];
}

/** Maximum lengths in UTF-16 units. */
const MAX_LEAD = 200;
const MAX_TITLE_LINE = 80;
const MAX_LABEL = 60;
const MAX_FIELD = 240;
/** Minimum length of a line that may continue on the next line. */
const MIN_WRAPPED = 45;

const itemLine = /^\s*(?:[-+*•‣▪◦·–]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivxlc]{1,5}|[A-Z])[.)])[ \t]+\S/;
const fieldLine = new RegExp(
  `^\\s*(?:[-+*•]\\s+)?\\*{0,2}\\p{L}[^:：.!?。|]{0,${MAX_LABEL}}\\*{0,2}(?:[:：]\\*{0,2})\\s*(?!//)\\S`,
  'u',
);
const introduction = /[:：][*_]*$/;
/** Matches the end of a sentence. Such a line is not a title. */
const sentenceEnd = /[.!…。！。।።။۔][*_"”»’)]*$/u;
const rule = /^[\s=*_~-]+$/;

export const isListItem = (line: string): boolean => itemLine.test(line);
/** Returns whether a line introduces the text that follows. */
export const isIntroduction = (line: string): boolean => introduction.test(line);

type LineKind = 'item' | 'field' | 'row' | 'prose';

function kindOfLine(line: string): LineKind {
  if (isTableLine(line)) return 'row';
  if (isListItem(line)) return 'item';
  return line.length <= MAX_FIELD && fieldLine.test(line) ? 'field' : 'prose';
}

/** Consecutive lines of one kind. */
interface Group extends TextRange {
  kind: LineKind;
  /** Whether a blank line or the start of the block precedes it. */
  isApart: boolean;
  lines: TextRange[];
}

/**
 * Divides a text, or a part of one, into structures. `above` are the headings above the text. Each line except
 * headings, rules and leads is in one structure. A heading without a section below it is a paragraph of its own,
 * because it may hold a value. Takes linear time.
 */
export function structuresOf(text: string, above: readonly string[] = []): Structure[] {
  const structures: Structure[] = [];
  const path: { level: number; title: string }[] = [];
  let headings = [...above];
  let bare: Block | null = null;
  let lead: TextRange | null = null;

  const add = (
    kind: StructureKind,
    { start, end }: TextRange,
    { items, header = null }: Pick<Structure, 'items'> & Partial<Pick<Structure, 'header'>>,
  ): void => {
    const columns = kind === 'table' ? columnsOf(text, header, headings) : [];
    structures.push({
      kind,
      start,
      end,
      headings,
      followsHeading: bare !== null,
      lead,
      header,
      columns,
      items,
    });
    bare = null;
    lead = null;
  };
  const addLines = (range: TextRange): void => {
    lead = null;
    add('paragraph', range, { items: sentencesIn(text, range) });
  };
  const flushLead = (): void => {
    if (lead !== null) addLines(lead);
  };
  const addBare = (nextLevel: number): void => {
    if (bare !== null && bare.level >= nextLevel) addLines(titleRange(text, bare));
  };

  for (const block of blocksOf(text, 'markdown')) {
    if (block.kind === 'heading') {
      flushLead();
      addBare(block.level);
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, title: block.title });
      headings = pathUnder(
        above,
        path.map(({ title }) => title),
      );
      bare = block;
    } else if (block.kind === 'code') {
      lead ??= sentenceBefore(structures.at(-1), headings);
      add('code', block, { items: stanzasOf(text, block) });
    } else if (block.kind === 'table') {
      const { header, rows } = tableRows(text, block);
      add('table', block, { header, items: rows });
    } else
      for (const group of groupsOf(text, block)) {
        if (group.kind === 'item') add('list', group, { items: itemsOf(text, group.lines) });
        else if (group.kind === 'field') add('fields', group, { items: group.lines });
        else if (group.kind === 'row') {
          const { header, rows } = tableRows(text, group);
          add('table', group, { header, items: rows });
        } else {
          const own = leadOf(text, group, block);
          const start = group.start;
          const end = own === null ? group.end : trimmed(text, start, own.start)[1];
          if (end > start) add('paragraph', { start, end }, { items: sentencesIn(text, { start, end }) });
          else flushLead();
          if (own !== null) lead = own;
        }
      }
  }
  flushLead();
  addBare(0);
  return structures;
}

/**
 * Returns the titles of a table's columns. If the table began before the text, its header is the innermost heading.
 */
function columnsOf(text: string, header: TextRange | null, headings: readonly string[]): string[] {
  if (header !== null) return cellsOf(text.slice(header.start, header.end));
  const above = headings.at(-1) ?? '';
  return isTableLine(above) ? cellsOf(above) : [];
}

/** Returns the innermost heading that is not the header of a table; '' if there is none. */
export const titleAbove = (headings: readonly string[]): string =>
  headings.findLast((heading) => !isTableLine(heading)) ?? '';

/** Returns the range of a heading's title, without the marks before or below it. */
function titleRange(text: string, { start, end }: TextRange): TextRange {
  const marks = /^#{1,6}[ \t]+/.exec(text.slice(start, end))?.[0].length ?? 0;
  const newline = text.indexOf('\n', start);
  const [first, last] = trimmed(text, start + marks, newline < 0 ? end : Math.min(end, newline));
  return { start: first, end: last };
}

/**
 * Joins the headings above the text with the headings in the text. The first list may already end with the start of
 * the second.
 */
function pathUnder(above: readonly string[], own: readonly string[]): string[] {
  const at = own[0] === undefined ? -1 : above.lastIndexOf(own[0]);
  return at < 0 ? [...own] : [...above.slice(0, at), ...own];
}

/** Divides a block at blank lines and where the kind of line changes. The lines after a list item may continue it. */
function groupsOf(text: string, { start, end }: TextRange): Group[] {
  const groups: Group[] = [];
  let last = start;
  for (const line of linesOf(text, start, end)) {
    const gap = text.slice(last, line.start);
    last = line.end;
    const written = text.slice(line.start, line.end);
    if (rule.test(written) && !/\w/.test(written)) continue;
    const open = groups.at(-1);
    const isNew = open === undefined || /\n\s*\n/.test(gap);
    const isIndented = /\n[ \t]+$/.test(gap);
    const kind = kindOfLine(written);
    const continues =
      open !== undefined &&
      (open.kind === 'item'
        ? kind === 'item' || isIndented || (!isNew && kind === 'prose')
        : !isNew && kind === open.kind);
    if (open !== undefined && continues) {
      open.lines.push(line);
      open.end = line.end;
    } else groups.push({ kind, isApart: isNew, start: line.start, end: line.end, lines: [line] });
  }
  return merged(groups);
}

/** Joins a single line with a label, a bar or a tab with the prose around it. */
function merged(groups: readonly Group[]): Group[] {
  const all: Group[] = [];
  for (const group of groups) {
    const isSingle = (group.kind === 'field' || group.kind === 'row') && group.lines.length === 1;
    const kind = isSingle ? 'prose' : group.kind;
    const last = all.at(-1);
    if (last?.kind === 'prose' && kind === 'prose' && !group.isApart) {
      last.lines.push(...group.lines);
      last.end = group.end;
    } else all.push({ ...group, kind });
  }
  return all;
}

/** Returns the items of a list. An item includes its further lines and its nested items. */
function itemsOf(text: string, lines: readonly TextRange[]): TextRange[] {
  const items: TextRange[] = [];
  let indent = -1;
  for (const line of lines) {
    const own = indentOf(text, line.start);
    if (indent < 0) indent = own;
    const open = items.at(-1);
    const isItem = isListItem(text.slice(line.start, line.end));
    if (open === undefined || (isItem && own <= indent)) items.push({ ...line });
    else open.end = line.end;
  }
  return items;
}

function indentOf(text: string, start: number): number {
  let at = start;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return start - at;
}

/** Returns the last line or sentence of a group of prose if it introduces the next group; otherwise null. */
function leadOf(text: string, { lines, end, start }: Group, block: TextRange): TextRange | null {
  const last = lines.at(-1);
  if (last === undefined) return null;
  const line = text.slice(last.start, last.end);
  if (isIntroduction(line)) {
    if (end - start <= MAX_LEAD) return { start, end };
    const sentence = sentencesIn(text, { start, end }).at(-1) ?? last;
    return sentence.end - sentence.start <= MAX_LEAD ? sentence : null;
  }
  const isTitle =
    lines.length === 1 &&
    end < block.end + 1 &&
    line.length <= MAX_TITLE_LINE &&
    /\p{L}/u.test(line) &&
    !sentenceEnd.test(line);
  return isTitle ? last : null;
}

/**
 * Returns the last sentence of the paragraph above a code block, because it often describes the code. It also stays
 * in its paragraph.
 */
function sentenceBefore(before: Structure | undefined, headings: readonly string[]): TextRange | null {
  const sentence =
    before?.kind === 'paragraph' && before.headings === headings ? before.items.at(-1) : undefined;
  return sentence !== undefined && sentence.end - sentence.start <= MAX_LEAD ? sentence : null;
}

/** Returns the sentences of prose. A long line without a full stop continues on the next line. */
export function sentencesIn(text: string, { start, end }: TextRange): TextRange[] {
  const sentences: TextRange[] = [];
  for (let at = start; at < end; ) {
    let stop = endOfSentence(text, at, end);
    while (
      stop < end &&
      (text[stop - 1] === '\n' ? isWrapped(text, at, stop, end) : isLeader(text, at, stop))
    )
      stop = endOfSentence(text, stop, end);
    const [first, last] = trimmed(text, at, stop);
    if (last > first) sentences.push({ start: first, end: last });
    at = stop;
  }
  return sentences;
}

/** Returns whether a row of dots leads to a number or price on the same line. */
const isLeader = (text: string, start: number, stop: number): boolean =>
  /(?:\.{4}|(?:\. ){2}\.|…{2})$/.test(text.slice(Math.max(start, stop - 5), stop).trimEnd());

function isWrapped(text: string, start: number, stop: number, end: number): boolean {
  const lineStart = Math.max(start, text.lastIndexOf('\n', stop - 2) + 1);
  const [first, last] = trimmed(text, lineStart, stop);
  const [next] = trimmed(text, stop, end);
  if (next >= end || text.slice(last, next).split('\n').length > 2) return false;
  if (sentenceEnd.test(text.slice(Math.max(first, last - 3), last))) return false;
  return last - first >= MIN_WRAPPED || /^\p{Ll}/u.test(text.slice(next, next + 2));
}

/** Returns the parts of a code block between blank lines, without the fences. */
function stanzasOf(text: string, { start, end }: TextRange): TextRange[] {
  const stanzas: TextRange[] = [];
  let last = start;
  for (const line of linesOf(text, start, end)) {
    const isFence = /^(?:`{3,}|~{3,})/.test(text.slice(line.start, line.end));
    const open = stanzas.at(-1);
    const isNew = open === undefined || /\n\s*\n/.test(text.slice(last, line.start));
    last = line.end;
    if (isFence) continue;
    if (isNew) stanzas.push({ start: text.lastIndexOf('\n', line.start - 1) + 1, end: line.end });
    else open.end = line.end;
  }
  return stanzas;
}

/** Returns the label of a line, without markup. */
export const labelOf = (line: string): string => bareTitle(line.split(/[:：]/, 1)[0] ?? '');

/**
 * Returns the parts of a text that can only be quoted whole, in order: sentences, list items, rows, labelled lines,
 * code blocks of up to `maxCode` UTF-16 units, and the stanzas of longer ones.
 */
export function quotableIn(text: string, maxCode: number): TextRange[] {
  const parts = structuresOf(text).flatMap(({ kind, start, end, lead, header, items }) => [
    ...[lead, header].filter((range) => range !== null),
    ...(kind === 'code' && end - start <= maxCode ? [{ start, end }] : items),
  ]);
  // The sentence above a code block is in two structures.
  return parts.filter(({ start }, n) => start !== parts[n - 1]?.start);
}
