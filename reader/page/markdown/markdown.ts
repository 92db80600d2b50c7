import { asText } from '../../as-text.js';
import { foldBlanks } from '../tree/fold-blanks.js';
import { Hint } from '../tree/name-hints.js';
import { afterSubtree, childrenOf, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels, preformattedTags } from '../tree/tag-sets.js';
import { fencedCode } from './code-block.js';
import { tableRows } from './data-table.js';
import { footnotesOf } from './footnotes.js';

const MAX_INDENT = 6;
const MAX_HEADING_CHARS = 300;

interface Open {
  end: number;
  close: () => void;
}

/** Writes consecutive blocks. Collects inline text until its block ends. */
class BlockWriter {
  private readonly parts: string[] = [];
  private line: string[] = [];
  private atGap = true;
  private tightBefore = false;
  marker = '';
  depth = 0;
  quote = 0;

  inline(text: string): void {
    const folded = foldBlanks(text);
    const added = this.atGap && folded.startsWith(' ') ? folded.slice(1) : folded;
    if (added === '') return;
    this.line.push(added);
    this.atGap = added.endsWith(' ');
  }

  /** Writes text with significant line ends. */
  lines(text: string): void {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) this.lineBreak();
      this.inline(line);
    }
  }

  lineBreak(): void {
    this.line.push('\n');
    this.atGap = true;
  }

  /** Ends the current block. `prefix` is a heading mark. */
  flush(prefix = ''): void {
    if (this.line.length === 0) return;
    const text = this.line
      .join('')
      .replace(/ *\n */g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    this.line = [];
    this.atGap = true;
    if (text === '') return;
    const isBare = this.depth === 0 && this.quote === 0 && this.marker === '';
    if (prefix !== '') this.block(`${prefix}${foldBlanks(text)}`);
    else this.block(isBare ? asText(text) : text);
  }

  block(text: string): void {
    const indent = '  '.repeat(Math.min(Math.max(this.depth - 1, 0), MAX_INDENT));
    const inList = this.depth > 0;
    const quoted = this.quote > 0 ? '> ' : '';
    let lead = quoted + indent;
    if (this.marker !== '') lead += this.marker;
    else if (inList) lead += '  ';
    const said = lead.endsWith('] ') ? withoutLabel(text, this.marker.slice(1, -2)) : text;
    const inner = inList ? said.replace(/\n(?=.)/g, `\n${indent}  `) : said;
    if (this.parts.length > 0) this.parts.push(inList && this.tightBefore ? '\n' : '\n\n');
    this.parts.push(lead + inner);
    this.tightBefore = inList;
    this.marker = '';
  }

  text(): string {
    return this.parts.join('');
  }
}

/** Removes the number from a note's text, because the label is written separately. */
function withoutLabel(text: string, label: string): string {
  const bare = text.replace(/^[[(]/, '');
  const rest = bare.startsWith(label) ? /^[\])]?[.:]?\s+(?=\S)/.exec(bare.slice(label.length)) : null;
  return rest === null ? text : bare.slice(label.length + rest[0].length);
}

/** Converts rows to Markdown: # headings, - lists, | tables | and fenced code. Links become their text. */
export function toMarkdown(tree: PageTree, rows: readonly number[], dropped: Uint8Array): string {
  const writer = new BlockWriter();
  for (const row of rows) {
    writeSubtree(tree, row, dropped, writer);
    writer.flush();
  }
  return writer.text();
}

interface ListState {
  ordered: boolean;
  next: number;
  step: number;
}

/** Returns the first number of a list and the step to the next one. */
function countFrom(tree: PageTree, row: number): Pick<ListState, 'next' | 'step'> {
  const { start = '', reversed } = tree.attributes[row] ?? {};
  const first = Number.parseInt(start, 10);
  if (reversed === undefined) return { next: Number.isNaN(first) ? 1 : first, step: 1 };
  let items = 0;
  for (const child of childrenOf(tree, row)) if (tree.tag[child] === 'li') items++;
  return { next: Number.isNaN(first) ? items : first, step: -1 };
}

/** Returns the number of an item, which may state its own, and counts on from it. */
function numberOf(list: ListState, value = ''): number {
  const own = Number.parseInt(value, 10);
  const number = Number.isNaN(own) ? list.next : own;
  list.next = number + list.step;
  return number;
}

function writeSubtree(tree: PageTree, root: number, dropped: Uint8Array, writer: BlockWriter): void {
  const open: Open[] = [];
  const lists: ListState[] = [];
  const { references, notes, backlinks } = footnotesOf(tree);
  let inHeading = false;
  let verseEnd = 0;
  const last = afterSubtree(tree, root);
  for (let row = root; row <= last; row++) {
    for (let top = open.at(-1); top !== undefined && top.end <= row; top = open.at(-1)) {
      open.pop();
      top.close();
    }
    if (row === last) break;
    const end = afterSubtree(tree, row);
    const reference = references.get(row);
    if (reference !== undefined) writer.inline(` [${reference}]`);
    if (reference !== undefined || dropped[row] === 1 || backlinks.has(row)) {
      row = end - 1;
      continue;
    }
    const tag = tree.tag[row] ?? '';
    const note = notes.get(row);
    if (note !== undefined && tag !== 'li') {
      writer.flush();
      writer.marker = `[${note}] `;
    }
    if (row >= verseEnd && keepsLines(tree, row)) verseEnd = end;
    if (tag === '') {
      if (row < verseEnd) writer.lines(tree.text[row] ?? '');
      else writer.inline(tree.text[row] ?? '');
    } else if (tag === 'br') {
      if (inHeading) writer.inline(' ');
      else writer.lineBreak();
    } else if (inHeading) {
      if (blockTags.has(tag)) writer.inline(' ');
    } else if (preformattedTags.has(tag)) {
      writer.flush();
      const isVerse = ((tree.hints[row] ?? 0) & Hint.verse) !== 0 || keepsLines(tree, tree.parent[row] ?? 0);
      const code = isVerse ? linesBelow(tree, row, dropped) : fencedCode(tree, row, dropped);
      if (code !== '') writer.block(code);
      row = end - 1;
    } else if (headingLevels.has(tag) && isShort(tree, row)) {
      writer.flush();
      inHeading = true;
      const prefix = `${'#'.repeat(headingLevels.get(tag) ?? 1)} `;
      open.push({
        end,
        close: () => {
          inHeading = false;
          writer.flush(prefix);
        },
      });
    } else if (tag === 'table') {
      writer.flush();
      const lines = tableRows(tree, row, dropped);
      if (lines === null) open.push({ end, close: () => writer.flush() });
      else {
        if (lines.length > 0) writer.block(lines.join('\n'));
        row = end - 1;
      }
    } else if (tag === 'ul' || tag === 'ol' || tag === 'menu' || tag === 'dir') {
      writer.flush();
      lists.push({
        ordered: tag === 'ol',
        ...countFrom(tree, row),
      });
      writer.depth++;
      open.push({
        end,
        close: () => {
          writer.flush();
          lists.pop();
          writer.depth--;
          writer.marker = '';
        },
      });
    } else if (tag === 'li' && lists.length > 0) {
      writer.flush();
      const list = lists.at(-1);
      const mark = list?.ordered === true ? `${numberOf(list, tree.attributes[row]?.value)}. ` : '- ';
      writer.marker = note === undefined ? mark : `[${note}] `;
      open.push({ end, close: () => writer.flush() });
    } else if (tag === 'blockquote') {
      writer.flush();
      writer.quote++;
      open.push({
        end,
        close: () => {
          writer.flush();
          writer.quote--;
        },
      });
    } else if (tag === 'q') {
      writer.inline('“');
      open.push({ end, close: () => writer.inline('”') });
    } else if (blockTags.has(tag)) {
      writer.flush();
      if (note !== undefined) writer.marker = `[${note}] `;
      open.push({ end, close: () => writer.flush() });
    }
  }
}

/** Returns whether line ends in the source are significant, as in a poem without line elements. */
function keepsLines(tree: PageTree, row: number): boolean {
  const isVerse = ((tree.hints[row] ?? 0) & Hint.verse) !== 0 && blockTags.has(tree.tag[row] ?? '');
  const style = tree.attributes[row]?.style;
  const isStyled = style !== undefined && /white-space\s*:\s*pre-(?:line|wrap)/i.test(style.slice(0, 500));
  if (!isVerse && !(isStyled && blockTags.has(tree.tag[row] ?? ''))) return false;
  for (let below = row + 1; below < afterSubtree(tree, row); below++) {
    const tag = tree.tag[below] ?? '';
    if (tag === 'br' || (tag !== '' && blockTags.has(tag) && !preformattedTags.has(tag))) return false;
  }
  return true;
}

/** Returns the text of a subtree with the line ends of the source. */
function linesBelow(tree: PageTree, row: number, dropped: Uint8Array): string {
  let text = '';
  for (let below = row + 1; below < afterSubtree(tree, row); below++) {
    if (dropped[below] === 1) below = afterSubtree(tree, below) - 1;
    else text += tree.tag[below] === 'br' ? '\n' : (tree.text[below] ?? '');
  }
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}

/** Returns whether the text is short enough for a heading. An unclosed heading tag may contain the whole page. */
function isShort(tree: PageTree, row: number): boolean {
  let chars = 0;
  for (let below = row; below < afterSubtree(tree, row); below++) {
    chars += (tree.text[below] ?? '').trim().length;
    const tag = tree.tag[below];
    if (chars > MAX_HEADING_CHARS || tag === 'table' || tag === 'ul' || tag === 'pre' || tag === 'ol')
      return false;
  }
  return true;
}
