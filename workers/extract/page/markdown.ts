import { fencedCode } from './code-block.js';
import { tableRows } from './data-table.js';
import { foldBlanks } from './fold-blanks.js';
import type { PageTree } from './page-tree.js';
import { blockTags, headingLevels, preformattedTags } from './tag-sets.js';

const MAX_INDENT = 6;
const MAX_HEADING_CHARS = 300;

interface Open {
  end: number;
  close: () => void;
}

/** Writes blocks of text one after the other; inline text is collected until a block ends. */
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

  lineBreak(): void {
    this.line.push('\n');
    this.atGap = true;
  }

  /** Ends the current block. `prefix` stands before its text (a heading mark). */
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
    this.block(prefix === '' ? text : `${prefix}${foldBlanks(text)}`);
  }

  block(text: string): void {
    const indent = '  '.repeat(Math.min(Math.max(this.depth - 1, 0), MAX_INDENT));
    const inList = this.depth > 0;
    const quoted = this.quote > 0 ? '> ' : '';
    let lead = quoted + indent;
    if (this.marker !== '') lead += this.marker;
    else if (inList) lead += '  ';
    const inner = inList ? text.replace(/\n(?=.)/g, `\n${indent}  `) : text;
    if (this.parts.length > 0) this.parts.push(inList && this.tightBefore ? '\n' : '\n\n');
    this.parts.push(lead + inner);
    this.tightBefore = inList;
    this.marker = '';
  }

  text(): string {
    return this.parts.join('');
  }
}

/** The text of a subtree in Markdown-like form: # headings, - lists, | tables |, fenced code; links as their text. */
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
}

function writeSubtree(tree: PageTree, root: number, dropped: Uint8Array, writer: BlockWriter): void {
  const open: Open[] = [];
  const lists: ListState[] = [];
  let inHeading = false;
  const last = tree.end[root] ?? root;
  for (let row = root; row <= last; row++) {
    for (let top = open.at(-1); top !== undefined && top.end <= row; top = open.at(-1)) {
      open.pop();
      top.close();
    }
    if (row === last) break;
    const end = tree.end[row] ?? row + 1;
    if (dropped[row] === 1) {
      row = end - 1;
      continue;
    }
    const tag = tree.tag[row] ?? '';
    if (tag === '') {
      writer.inline(tree.text[row] ?? '');
    } else if (tag === 'br') {
      if (inHeading) writer.inline(' ');
      else writer.lineBreak();
    } else if (inHeading) {
      if (blockTags.has(tag)) writer.inline(' ');
    } else if (preformattedTags.has(tag)) {
      writer.flush();
      const code = fencedCode(tree, row, dropped);
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
        next: Number.parseInt(tree.attributes[row]?.start ?? '1', 10) || 1,
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
      writer.marker = list?.ordered === true ? `${list.next++}. ` : '- ';
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
      open.push({ end, close: () => writer.flush() });
    }
  }
}

/** Broken markup leaves headings open over whole pages: those are no headings. */
function isShort(tree: PageTree, row: number): boolean {
  let chars = 0;
  for (let below = row; below < (tree.end[row] ?? 0); below++) {
    chars += (tree.text[below] ?? '').trim().length;
    const tag = tree.tag[below];
    if (chars > MAX_HEADING_CHARS || tag === 'table' || tag === 'ul' || tag === 'pre' || tag === 'ol')
      return false;
  }
  return true;
}
