import type { CodeState, Reading, Step } from './step.js';

/*
 * Code is not guarded, because it contains no links. Only text that every Markdown renderer treats as code counts.
 * Where renderers differ (in lists, quotes and tables, after HTML, across lines), the text is guarded. After a
 * fence whose end is ambiguous, nothing is treated as code any more.
 */

export const newCodeState = (): CodeState => ({ fence: null, trusted: true, spansTrusted: true });

/** Returns whether the line has only blanks and the marks of quotes and lists, so that the next text starts a block. */
export const beginsBlock = (line: string): boolean => /^[\s>*+\-\d.)]*$/.test(line);

const fenceStart = /^ {0,3}$/;
const closingFence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** In UTF-16 units. A longer line cannot close a fence. */
const LONGEST_LINE = 2000;
/** In UTF-16 units. A fence with a longer info string is not an opening fence. */
const LONGEST_INFO = 500;

function columns(blanks: string): number {
  let width = 0;
  for (const blank of blanks) width += blank === '\t' ? 4 - (width % 4) : 1;
  return width;
}

/** Reads one line, or its beginning, inside a fence. */
export function readFenced({ text, out, code }: Reading): Step {
  const { fence } = code;
  if (fence === null) return { read: 0 };
  const blanks = /^[ \t]*/.exec(text)?.[0] ?? '';
  const line = out.line();
  if (line.trim() === '' && blanks.length < text.length) {
    const indent = columns(line + blanks);
    if (text[blanks.length] !== '\n' && indent < fence.indent) {
      // A list that contained the fence may have ended; renderers disagree whether the fence ends with it.
      code.fence = null;
      code.trusted = false;
      out.checked(blanks);
      return { read: blanks.length };
    }
  }
  const newline = text.indexOf('\n');
  const part = newline < 0 ? text : text.slice(0, newline);
  const whole = line + part;
  if (whole.length > LONGEST_LINE) {
    code.fence = null;
    code.trusted = false;
  } else if (newline >= 0) {
    const closing = closingFence.exec(whole)?.[1] ?? '';
    if (closing[0] === fence.mark && closing.length >= fence.length) code.fence = null;
  }
  out.checked(newline < 0 ? part : `${part}\n`);
  return { read: newline < 0 ? text.length : newline + 1 };
}

/** Reads a run of backticks or tildes: an opening fence, a code span, or plain characters. */
export function readCode(reading: Reading): Step {
  const { text, final, out, code } = reading;
  const mark = text[0] === '~' ? '~' : '`';
  const run = (mark === '~' ? /^~+/ : /^`+/).exec(text)?.[0] ?? mark;
  if (run.length === text.length && !final) return 'more';
  if (run.length >= 3 && beginsBlock(out.line())) {
    const fence = readFenceStart(reading, mark, run);
    if (fence !== null) return fence;
  }
  if (mark === '`' && code.trusted && code.spansTrusted) {
    const end = endOfSpan(text, run, final);
    if (end === 'more') return 'more';
    const span = end === null ? '' : text.slice(0, end);
    // A bar would split the span into two table cells.
    if (span !== '' && !span.includes('|')) {
      out.checked(span);
      return { read: span.length };
    }
  }
  if (mark === '`') code.spansTrusted = false;
  out.literal(run);
  return { read: run.length };
}

function readFenceStart({ text, final, out, code }: Reading, mark: string, run: string): Step | null {
  const newline = text.indexOf('\n');
  const line = newline < 0 ? text : text.slice(0, newline);
  if (!code.trusted) return null;
  // Another backtick on the line makes it a code span.
  if (mark === '`' && line.includes('`', run.length)) return null;
  if (newline < 0 && !final) return 'more';
  // Some renderers treat a line with a bar as a table header.
  if (!fenceStart.test(out.line()) || line.length > LONGEST_INFO || line.includes('|')) {
    code.trusted = false;
    return null;
  }
  code.fence = { mark, length: run.length, indent: out.line().length };
  out.checked(newline < 0 ? text : `${line}\n`);
  return { read: newline < 0 ? text.length : newline + 1 };
}

/** Returns the end of the code span on the same line, or null. `more`: the following text decides. */
export function endOfSpan(text: string, run: string, final: boolean): number | null | 'more' {
  const newline = text.indexOf('\n');
  const line = newline < 0 ? text : text.slice(0, newline);
  for (const { 0: other, index } of line.matchAll(/`+/g)) {
    if (index === 0 || other.length !== run.length) continue;
    const end = index + other.length;
    // The run of backticks may continue.
    if (end === text.length && !final) return 'more';
    return end;
  }
  return newline < 0 && !final ? 'more' : null;
}
