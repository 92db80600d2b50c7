import type { CodeState, Reading, Step } from './step.js';

/*
 * Code is shown as it is, because nothing in it is a link. Only what every reader of Markdown takes for code
 * counts. Where readers could differ (in lists and quotes, behind HTML, over several lines, in tables), the
 * text is guarded like any other. After a fence that cannot be placed, nothing counts as code any more.
 */

export const newCodeState = (): CodeState => ({ fence: null, trusted: true, spansTrusted: true });

/** Only blanks and the marks of quotes and lists: what follows begins a block. */
export const beginsBlock = (line: string): boolean => /^[\s>*+\-\d.)]*$/.test(line);

const fenceStart = /^ {0,3}$/;
const closingFence = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** A longer line is not compared with a fence. */
const LONGEST_LINE = 2000;
/** In UTF-16 units; nor is a longer one taken for the beginning of a fence. */
const LONGEST_INFO = 500;

function columns(blanks: string): number {
  let width = 0;
  for (const blank of blanks) width += blank === '\t' ? 4 - (width % 4) : 1;
  return width;
}

/** Inside of a fence: up to the end of a line, or where the fence has ended. */
export function readFenced({ text, out, code }: Reading): Step {
  const { fence } = code;
  if (fence === null) return { read: 0 };
  const blanks = /^[ \t]*/.exec(text)?.[0] ?? '';
  const line = out.line();
  if (line.trim() === '' && blanks.length < text.length) {
    const indent = columns(line + blanks);
    if (text[blanks.length] !== '\n' && indent < fence.indent) {
      // The list around it has ended, and the fence with it; or it goes on. Readers differ.
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

/** A run of backticks or tildes: the beginning of a fence, a span of code, or just that. */
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
    // A table would part it where the bar stands.
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
  // With more of them on its line it is a span.
  if (mark === '`' && line.includes('`', run.length)) return null;
  if (newline < 0 && !final) return 'more';
  // With a bar, some take it for the head of a table.
  if (!fenceStart.test(out.line()) || line.length > LONGEST_INFO || line.includes('|')) {
    code.trusted = false;
    return null;
  }
  code.fence = { mark, length: run.length, indent: out.line().length };
  out.checked(newline < 0 ? text : `${line}\n`);
  return { read: newline < 0 ? text.length : newline + 1 };
}

/** Where the span of code that begins with `run` ends, on its own line; null when it does not. */
export function endOfSpan(text: string, run: string, final: boolean): number | null | 'more' {
  const newline = text.indexOf('\n');
  const line = newline < 0 ? text : text.slice(0, newline);
  for (const { 0: other, index } of line.matchAll(/`+/g)) {
    if (index === 0 || other.length !== run.length) continue;
    const end = index + other.length;
    // More of them may follow.
    if (end === text.length && !final) return 'more';
    return end;
  }
  return newline < 0 && !final ? 'more' : null;
}
