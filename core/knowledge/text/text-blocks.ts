import { bareTitle } from './heading-title.js';
import type { Notation } from './notation.js';
import { trimmed } from './sentences.js';

export type BlockKind = 'heading' | 'code' | 'table' | 'text';

/** A range of one kind, without surrounding white space. */
export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** 1 to 6 for a heading, otherwise 0. `title` is empty for other blocks. */
  level: number;
  title: string;
}

/** The paragraph that is being read. */
interface Paragraph {
  start: number;
  /** End of the block's text before this paragraph; -1 if the block starts with it. */
  endBefore: number;
  lines: number;
}

/** Maximum length of a heading in UTF-16 units. A longer line that starts with # is plain text. */
const MAX_HEADING_UNITS = 300;
const CARRIAGE_RETURN = 13;

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const headingLine = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const underline = /^ {0,3}(={3,}|-{3,})[ \t]*$/;
/** List items, quotes, rules and borders cannot be underlined headings. */
const noTitle = /^(?:[-+•>|=~#]|\*\s|\d{1,3}[.)][ \t])|^[^\p{L}\p{N}]*$/u;

/** Divides a text into blocks, line by line. A repeated header starts a new table. */
export function* blocksOf(text: string, notation: Notation): Generator<Block> {
  let block: Block | null = null;
  let paragraph: Paragraph | null = null;
  let fence = '';
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const stop = end > start && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    const head = text.slice(start, Math.min(stop, start + MAX_HEADING_UNITS + 1));
    const [first, last] = trimmed(text, start, end);
    start = end + 1;
    if (fence !== '' && block !== null) {
      block.end = Math.max(block.end, last);
      if (closesFence(head, fence)) {
        yield block;
        block = null;
        fence = '';
      }
      continue;
    }
    const mark = block?.kind === 'text' && paragraph?.lines === 1 ? underline.exec(head)?.[1] : undefined;
    const title = mark === undefined || paragraph === null ? '' : titleOf(text, paragraph, first);
    if (block !== null && paragraph !== null && mark !== undefined && title !== '') {
      if (paragraph.endBefore >= 0) yield { ...block, end: paragraph.endBefore };
      yield { kind: 'heading', start: paragraph.start, end: last, level: mark[0] === '=' ? 1 : 2, title };
      block = null;
      paragraph = null;
      continue;
    }
    const kind = first === last ? null : kindOf(head, notation);
    const isOther = kind === null ? block?.kind === 'table' : kind !== block?.kind;
    if (block !== null && (isOther || kind === 'heading' || kind === 'code')) {
      yield block;
      block = null;
    }
    if (kind !== 'text') paragraph = null;
    else if (paragraph === null) paragraph = { start: first, endBefore: block?.end ?? -1, lines: 1 };
    else paragraph.lines++;
    if (kind === 'code') fence = fenceLine.exec(head)?.[1] ?? '';
    if (kind === null) continue;
    if (block === null) block = { kind, start: first, end: last, ...headingOf(kind, head) };
    else block.end = last;
  }
  if (block !== null) yield block;
}

function kindOf(head: string, notation: Notation): BlockKind {
  if (fenceLine.test(head)) return 'code';
  if (notation === 'markdown' && head.length <= MAX_HEADING_UNITS && headingLine.test(head)) return 'heading';
  return /^\s*\|| \| /.test(head) ? 'table' : 'text';
}

function headingOf(kind: BlockKind, head: string): { level: number; title: string } {
  const match = kind === 'heading' ? headingLine.exec(head) : null;
  if (match === null) return { level: 0, title: '' };
  return { level: match[1]?.length ?? 1, title: bareTitle(match[2] ?? '') };
}

/** Returns the title of an underlined heading; '' if the line is not a heading. */
function titleOf(text: string, { start }: Paragraph, underlineStart: number): string {
  const [, end] = trimmed(text, start, underlineStart);
  if (end - start > MAX_HEADING_UNITS) return '';
  const line = text.slice(start, end);
  return noTitle.test(line) ? '' : bareTitle(line);
}

function closesFence(head: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(head)?.[1] ?? '';
  return mark[0] === fence[0] && mark.length >= fence.length;
}
